//! One value of a column as text, as Arrow's own display writes it: numbers, dates, times, decimals. Arrow's is in a
//! crate that takes longer to compile than the rest of the command, because it converts any type into any other.

use std::fmt::{Debug, Display};
use std::io::Write;

use arrow_array::cast::AsArray;
use arrow_array::temporal_conversions::{
    as_datetime, date32_to_datetime, time32ms_to_time, time32s_to_time, time64ns_to_time, time64us_to_time,
};
use arrow_array::types::{
    ArrowTimestampType, Date32Type, Decimal128Type, Decimal256Type, DecimalType, Float16Type, Float32Type, Float64Type,
    Int8Type, Int16Type, Int32Type, Int64Type, IntervalDayTimeType, Time32MillisecondType, Time32SecondType,
    Time64MicrosecondType, Time64NanosecondType, TimestampMicrosecondType, TimestampMillisecondType,
    TimestampNanosecondType, TimestampSecondType, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef};
use arrow_schema::{DataType, IntervalUnit, TimeUnit};
use chrono::SecondsFormat;

/// Whether values of a type can be shown: those that columns of Parquet have, but for text and bytes.
pub(super) fn is_shown(data_type: &DataType) -> bool {
    match data_type {
        DataType::Null | DataType::Boolean | DataType::Date32 | DataType::Interval(IntervalUnit::DayTime) => true,
        DataType::Time32(_) | DataType::Time64(_) | DataType::Timestamp(..) => true,
        DataType::Decimal128(..) | DataType::Decimal256(..) => true,
        other => other.is_integer() || other.is_floating(),
    }
}

/// Appends the value in a row that is not null. Where a type has no such text, nothing is written: see [`is_shown`].
pub(super) fn show(array: &ArrayRef, row: usize, out: &mut Vec<u8>) {
    macro_rules! number {
        ($kind:ty) => {
            put(out, array.as_primitive::<$kind>().value(row))
        };
    }
    macro_rules! moment {
        ($kind:ty, $convert:expr) => {{
            let value = array.as_primitive::<$kind>().value(row);
            moment(out, array.data_type(), "temporal", value, $convert(value))
        }};
    }
    match array.data_type() {
        DataType::Boolean => put(out, array.as_boolean().value(row)),
        DataType::Int8 => number!(Int8Type),
        DataType::Int16 => number!(Int16Type),
        DataType::Int32 => number!(Int32Type),
        DataType::Int64 => number!(Int64Type),
        DataType::UInt8 => number!(UInt8Type),
        DataType::UInt16 => number!(UInt16Type),
        DataType::UInt32 => number!(UInt32Type),
        DataType::UInt64 => number!(UInt64Type),
        DataType::Float16 => number!(Float16Type),
        DataType::Float32 => put(out, ryu::Buffer::new().format(array.as_primitive::<Float32Type>().value(row))),
        DataType::Float64 => put(out, ryu::Buffer::new().format(array.as_primitive::<Float64Type>().value(row))),
        DataType::Decimal128(precision, scale) => decimal::<Decimal128Type>(array, row, *precision, *scale, out),
        DataType::Decimal256(precision, scale) => decimal::<Decimal256Type>(array, row, *precision, *scale, out),
        DataType::Date32 => moment!(Date32Type, |days| date32_to_datetime(days).map(|moment| moment.date())),
        DataType::Time32(TimeUnit::Second) => moment!(Time32SecondType, time32s_to_time),
        DataType::Time32(_) => moment!(Time32MillisecondType, time32ms_to_time),
        DataType::Time64(TimeUnit::Microsecond) => moment!(Time64MicrosecondType, time64us_to_time),
        DataType::Time64(_) => moment!(Time64NanosecondType, time64ns_to_time),
        DataType::Timestamp(TimeUnit::Second, zone) => timestamp::<TimestampSecondType>(array, row, zone, out),
        DataType::Timestamp(TimeUnit::Millisecond, zone) => {
            timestamp::<TimestampMillisecondType>(array, row, zone, out);
        }
        DataType::Timestamp(TimeUnit::Microsecond, zone) => {
            timestamp::<TimestampMicrosecondType>(array, row, zone, out);
        }
        DataType::Timestamp(TimeUnit::Nanosecond, zone) => timestamp::<TimestampNanosecondType>(array, row, zone, out),
        DataType::Interval(IntervalUnit::DayTime) => {
            let interval = array.as_primitive::<IntervalDayTimeType>().value(row);
            days_and_time(interval.days, interval.milliseconds, out);
        }
        _ => {}
    }
}

fn put(out: &mut Vec<u8>, value: impl Display) {
    // Writing to memory does not fail.
    let _ = write!(out, "{value}");
}

fn decimal<T: DecimalType>(array: &ArrayRef, row: usize, precision: u8, scale: i8, out: &mut Vec<u8>) {
    put(out, T::format_decimal(array.as_primitive::<T>().value(row), precision, scale));
}

/// Moments are those of UTC where they have a time zone at all: the command reads no other.
fn timestamp<T: ArrowTimestampType>(array: &ArrayRef, row: usize, zone: &Option<impl Sized>, out: &mut Vec<u8>) {
    let value = array.as_primitive::<T>().value(row);
    match (as_datetime::<T>(value), zone) {
        (Some(time), Some(_)) => put(out, time.and_utc().to_rfc3339_opts(SecondsFormat::AutoSi, true)),
        (time, _) => moment(out, array.data_type(), "datetime", value, time),
    }
}

/// A date or a time, or what Arrow says of a number that stands for none.
fn moment(out: &mut Vec<u8>, data_type: &DataType, what: &str, value: impl Display, time: Option<impl Debug>) {
    match time {
        Some(time) => put(out, format_args!("{time:?}")),
        None => put(out, format_args!("ERROR: Cast error: Failed to convert {value} to {what} for {data_type}")),
    }
}

/// Days and milliseconds, of which either may be negative: `2 days 3 hours 4.500 secs`.
fn days_and_time(days: i32, milliseconds: i32, out: &mut Vec<u8>) {
    let (seconds, thousandths) = (milliseconds / 1000, milliseconds % 1000);
    let mut parts = Vec::new();
    for (count, unit) in [(days, "days"), (seconds / 3600, "hours"), (seconds / 60 % 60, "mins")] {
        if count != 0 {
            parts.push(format!("{count} {unit}"));
        }
    }
    if milliseconds % 60_000 != 0 {
        let sign = if milliseconds < 0 { "-" } else { "" };
        parts.push(format!("{sign}{}.{:03} secs", (seconds % 60).abs(), thousandths.abs()));
    }
    put(out, if parts.is_empty() { "0 secs".to_owned() } else { parts.join(" ") });
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::PrimitiveArray;
    use arrow_array::types::{ArrowPrimitiveType, IntervalDayTime};
    use arrow_cast::display::{ArrayFormatter, FormatOptions};

    use super::*;

    /// The integers that a type may trip over, as many of them as it holds.
    fn integers() -> Vec<i64> {
        let powers = (0..63).map(|bit| 1_i64 << bit);
        let around = powers.flat_map(|power| [power - 1, power, -power]);
        let moments = [86_399, 86_400, 86_399_999, 86_400_000, 1_700_000_000, 1_700_000_000_123, 999, -1, 100_000_000];
        around.chain(moments).chain([i64::MIN, i64::MAX]).collect()
    }

    fn agree(array: &ArrayRef) -> usize {
        let options = FormatOptions::new();
        let theirs = ArrayFormatter::try_new(array, &options).unwrap();
        assert!(is_shown(array.data_type()), "{}", array.data_type());
        for row in 0..array.len() {
            let mut ours = Vec::new();
            show(array, row, &mut ours);
            assert_eq!(String::from_utf8(ours).unwrap(), theirs.value(row).to_string(), "{}", array.data_type());
        }
        array.len()
    }

    #[test]
    fn values_are_shown_as_arrow_shows_them() {
        let mut shown = 0;
        macro_rules! all {
            ($values:expr; $($kind:ty),+) => { $({
                let values = $values.filter_map(|value| value.try_into().ok());
                shown += agree(&(Arc::new(PrimitiveArray::<$kind>::from_iter_values(values)) as ArrayRef));
            })+ };
        }
        all!(integers().into_iter(); Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type);
        all!(integers().into_iter(); UInt64Type, Date32Type, Time32SecondType, Time32MillisecondType);
        all!(integers().into_iter(); Time64MicrosecondType, Time64NanosecondType);
        all!(integers().into_iter(); TimestampSecondType, TimestampMillisecondType, TimestampMicrosecondType);
        all!(integers().into_iter(); TimestampNanosecondType);
        let nanoseconds = PrimitiveArray::<TimestampNanosecondType>::from_iter_values(integers());
        shown += agree(&(Arc::new(nanoseconds.with_timezone("+00:00")) as ArrayRef));
        let milliseconds = PrimitiveArray::<TimestampMillisecondType>::from_iter_values(integers());
        shown += agree(&(Arc::new(milliseconds.with_timezone("+00:00")) as ArrayRef));
        assert!(shown > 2000, "{shown}");
    }

    #[test]
    fn fractions_truth_values_and_intervals_too() {
        let floats = [0.0, -0.0, 1.5, 1e16, 1e-7, 123_456_789.0, f64::MAX, f64::MIN_POSITIVE, f64::NAN, f64::INFINITY];
        let singles = floats.map(|float| float as f32);
        agree(&(Arc::new(PrimitiveArray::<Float64Type>::from_iter_values(floats)) as ArrayRef));
        agree(&(Arc::new(PrimitiveArray::<Float32Type>::from_iter_values(singles)) as ArrayRef));
        type Half = <Float16Type as ArrowPrimitiveType>::Native;
        let halves = PrimitiveArray::<Float16Type>::from_iter_values((0..=u16::MAX).map(Half::from_bits));
        agree(&(Arc::new(halves) as ArrayRef));
        agree(&(Arc::new(arrow_array::BooleanArray::from(vec![true, false])) as ArrayRef));
        for scale in [0, 1, 12, 38] {
            let numbers = [0, 7, -7, 10_i128.pow(12), -(10_i128.pow(12)), 10_i128.pow(38) - 1];
            let decimals = PrimitiveArray::<Decimal128Type>::from_iter_values(numbers);
            let decimals: ArrayRef = Arc::new(decimals.with_precision_and_scale(38, scale).unwrap());
            agree(&decimals);
            agree(&arrow_cast::cast(&decimals, &DataType::Decimal256(76, scale)).unwrap());
        }
        let times = [0, 1, 999, 1000, 59_999, 60_000, 3_599_999, 3_600_000, 90_061_001, i32::MAX, i32::MIN];
        let intervals = times.into_iter().flat_map(|time| {
            let signed = [time, time.checked_neg().unwrap_or(0)];
            signed.into_iter().flat_map(|time| [0, 1, -1].map(|days| IntervalDayTime::new(days, time)))
        });
        agree(&(Arc::new(PrimitiveArray::<IntervalDayTimeType>::from_iter_values(intervals)) as ArrayRef));
    }
}

//! Parquet files made byte by byte, so that they can say what no writer would.

/// Structures in Thrift's compact protocol.
#[derive(Default)]
pub(crate) struct Thrift {
    pub(crate) bytes: Vec<u8>,
    last: u8,
}

impl Thrift {
    pub(crate) fn unsigned(bytes: &mut Vec<u8>, mut value: u64) {
        while value >= 0x80 {
            bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        bytes.push(value as u8);
    }

    pub(crate) fn signed(bytes: &mut Vec<u8>, value: i64) {
        Thrift::unsigned(bytes, (value << 1 ^ value >> 63) as u64);
    }

    fn field(&mut self, id: u8, wire: u8) {
        self.bytes.push((id - self.last) << 4 | wire);
        self.last = id;
    }

    pub(crate) fn i32(mut self, id: u8, value: i64) -> Thrift {
        self.field(id, 5);
        Thrift::signed(&mut self.bytes, value);
        self
    }

    pub(crate) fn i64(mut self, id: u8, value: i64) -> Thrift {
        self.field(id, 6);
        Thrift::signed(&mut self.bytes, value);
        self
    }

    pub(crate) fn text(mut self, id: u8, text: &str) -> Thrift {
        self.field(id, 8);
        Thrift::unsigned(&mut self.bytes, text.len() as u64);
        self.bytes.extend_from_slice(text.as_bytes());
        self
    }

    pub(crate) fn inner(mut self, id: u8, inner: Thrift) -> Thrift {
        self.field(id, 12);
        self.bytes.extend_from_slice(&inner.end());
        self
    }

    /// A list of elements as they stand in it.
    pub(crate) fn list(mut self, id: u8, wire: u8, elements: &[Vec<u8>]) -> Thrift {
        self.field(id, 9);
        self.bytes.push(0xf0 | wire);
        Thrift::unsigned(&mut self.bytes, elements.len() as u64);
        self.bytes.extend(elements.concat());
        self
    }

    pub(crate) fn end(mut self) -> Vec<u8> {
        self.bytes.push(0);
        self.bytes
    }
}

pub(crate) const PLAIN: i64 = 0;
pub(crate) const DELTA_LENGTH: i64 = 6;
pub(crate) const DELTA: i64 = 7;
pub(crate) const DICTIONARY: i64 = 8;

pub(crate) const SNAPPY: i64 = 1;
pub(crate) const GZIP: i64 = 2;
pub(crate) const BROTLI: i64 = 4;

/// A data page: its header, which claims an uncompressed size, and its bytes.
pub(crate) fn page(values: i64, encoding: i64, claim: i64, bytes: &[u8]) -> Vec<u8> {
    let data = Thrift::default().i32(1, values).i32(2, encoding).i32(3, 3).i32(4, 3);
    let header = Thrift::default().i32(1, 0).i32(2, claim).i32(3, bytes.len() as i64).inner(5, data);
    [&header.end(), bytes].concat()
}

/// A dictionary page of so many values.
pub(crate) fn dictionary(values: i64, claim: i64, bytes: &[u8]) -> Vec<u8> {
    let details = Thrift::default().i32(1, values).i32(2, PLAIN);
    let header = Thrift::default().i32(1, 2).i32(2, claim).i32(3, bytes.len() as i64).inner(7, details);
    [&header.end(), bytes].concat()
}

/// A value in the plain encoding.
pub(crate) fn plain(value: &[u8]) -> Vec<u8> {
    [&(value.len() as u32).to_le_bytes(), value].concat()
}

/// Numbers of which the first is given and the others are zero, or equal to it.
pub(crate) fn deltas(count: u64, first: i64, others_equal: bool) -> Vec<u8> {
    let mut bytes = Vec::new();
    for number in [128, 4, count] {
        Thrift::unsigned(&mut bytes, number);
    }
    Thrift::signed(&mut bytes, first);
    let mut left = count.saturating_sub(1);
    let mut fresh = !others_equal;
    while left > 0 {
        // The least difference, the widths of four parts, and the first part: 0, then 31 times what undoes the least.
        let drop = if std::mem::take(&mut fresh) { first } else { 0 };
        Thrift::signed(&mut bytes, -drop);
        let width = if drop == 0 { 0_u8 } else { 32 };
        bytes.extend([width; 4]);
        for place in 0..if drop == 0 { 0 } else { 128 } {
            bytes.extend_from_slice(&(if place == 0 { 0 } else { drop as u32 }).to_le_bytes());
        }
        left = left.saturating_sub(128);
    }
    bytes
}

/// A column of byte arrays that are never null: name, codec, and its pages.
pub(crate) struct Column<'a> {
    pub(crate) name: &'a str,
    pub(crate) codec: i64,
    pub(crate) pages: Vec<Vec<u8>>,
}

/// An element of the schema: a leaf, or a group of so many members.
pub(crate) fn element(name: &str, members: Option<i64>) -> Vec<u8> {
    let element = Thrift::default();
    match members {
        None => element.i32(1, 6).i32(3, 0).text(4, name).i32(6, 0).end(),
        Some(members) => element.i32(3, 0).text(4, name).i32(5, members).end(),
    }
}

/// A file of one row group.
pub(crate) fn file(columns: &[Column<'_>], rows: i64) -> Vec<u8> {
    groups(&[columns], rows, false)
}

/// A file of row groups that claim so many rows each. Where they share, all refer to the bytes of the first.
pub(crate) fn groups(groups: &[&[Column<'_>]], rows: i64, share: bool) -> Vec<u8> {
    let mut bytes = b"PAR1".to_vec();
    let mut schema = vec![element("root", Some(groups[0].len() as i64))];
    schema.extend(groups[0].iter().map(|column| element(column.name, None)));
    let mut described = Vec::new();
    for columns in groups {
        let mut chunks = Vec::new();
        let mut place = if share { 4 } else { bytes.len() };
        for column in *columns {
            let pages = column.pages.concat();
            let metadata = Thrift::default()
                .i32(1, 6)
                .list(2, 5, &[vec![0]])
                .list(3, 8, &[plain_name(column.name)])
                .i32(4, column.codec)
                .i64(5, rows)
                .i64(6, pages.len() as i64)
                .i64(7, pages.len() as i64)
                .i64(9, place as i64);
            chunks.push(Thrift::default().i64(2, place as i64).inner(3, metadata).end());
            place += pages.len();
            if place > bytes.len() {
                bytes.extend(pages);
            }
        }
        described.push(Thrift::default().list(1, 12, &chunks).i64(2, 0).i64(3, rows).end());
    }
    with_footer(bytes, &schema, rows * groups.len() as i64, &described)
}

fn plain_name(name: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    Thrift::unsigned(&mut bytes, name.len() as u64);
    [&bytes, name.as_bytes()].concat()
}

/// What comes before the directory, and the directory.
pub(crate) fn with_footer(mut bytes: Vec<u8>, schema: &[Vec<u8>], rows: i64, groups: &[Vec<u8>]) -> Vec<u8> {
    let footer = Thrift::default().i32(1, 1).list(2, 12, schema).i64(3, rows).list(4, 12, groups).end();
    bytes.extend_from_slice(&footer);
    bytes.extend_from_slice(&(footer.len() as u32).to_le_bytes());
    bytes.extend_from_slice(b"PAR1");
    bytes
}

/// One value in a dictionary, and `rows` rows that refer to it by a run of zeros.
pub(crate) fn shared<'a>(name: &'a str, value: &[u8], rows: usize) -> Column<'a> {
    let value = plain(value);
    let packed = snap::raw::Encoder::new().compress_vec(&value).unwrap();
    let mut run = vec![1];
    Thrift::unsigned(&mut run, (rows as u64) << 1);
    run.push(0);
    let packed_run = snap::raw::Encoder::new().compress_vec(&run).unwrap();
    let pages =
        vec![dictionary(1, value.len() as i64, &packed), page(rows as i64, DICTIONARY, run.len() as i64, &packed_run)];
    Column { name, codec: SNAPPY, pages }
}

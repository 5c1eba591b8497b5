mod image; mod object; mod relocate; mod write;
use relocate::Architecture;
fn main() -> Result<(), String> {
    let a: Vec<String> = std::env::args().collect();
    let arch = if a[1]=="amd64" {Architecture::Amd64} else {Architecture::Arm64};
    let data = std::fs::read(&a[2]).map_err(|e| e.to_string())?;
    let o = object::Objects::read(&data, if arch==Architecture::Amd64 {::object::Architecture::X86_64} else {::object::Architecture::Aarch64})?;
    let i = image::link(&o, "phalanx_go_image", arch)?;
    println!("{} bytes, {} code, {} functions, {} taken: {:?}", i.bytes.len(), i.code, i.functions.len(), i.taken.len(), i.taken.iter().map(|t| i.functions.iter().find(|f| f.start==*t).map(|f| &f.name)).collect::<Vec<_>>());
    std::fs::write(&a[3], write::assembly(&i.bytes, arch)).map_err(|e| e.to_string())?;
    Ok(())
}

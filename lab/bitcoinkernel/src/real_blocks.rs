//! Two blocks of the main network from `../shared/data` beside the repository, or those of a node's folder, with the
//! outputs that they spend.

use crate::{Failure, encoding::put_bytes};
use phalanx_bitcoin::{Block, BlockFolder, DecodeError, Flags, FolderFault, Network};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// A block, and what it spends.
pub(crate) struct RealBlock {
    network: Network,
    pub(crate) height: u32,
    pub(crate) bytes: Vec<u8>,
    /// The outputs, one behind the other, as transactions have them.
    pub(crate) spent: Vec<u8>,
}

impl RealBlock {
    /// Both blocks: one before SegWit, one after Taproot.
    pub(crate) fn all() -> Result<[Self; 2], Failure> {
        let old = Self {
            network: Network::Main,
            height: 300_025,
            bytes: read("bitcoin-block-300025.raw")?,
            spent: read("bitcoin-block-300025.undo.raw")?,
        };
        let new = Self {
            network: Network::Main,
            height: 866_342,
            bytes: unpack("bitcoin-block-866342.raw.zst")?,
            spent: encoded(&unpack("bitcoin-block-866342.spent-outputs.json.zst")?)
                .ok_or_else(|| Failure::NotThere("the spent outputs of block 866342 are not understood".into()))?,
        };
        Ok([old, new])
    }

    /// Those blocks of a node's folder that spend something.
    pub(crate) fn of_folder(path: &Path) -> Result<Vec<Self>, Failure> {
        let fault = |fault: FolderFault| Failure::NotThere(fault.to_string());
        let mut folder = BlockFolder::open(path, None).map_err(fault)?;
        let (network, mut blocks) = (folder.network(), Vec::new());
        for height in folder.heights() {
            let Some(stored) = folder.read(height) else { break };
            let stored = stored.map_err(fault)?;
            let bad = |error: DecodeError| Failure::NotThere(format!("block {height}: {error}"));
            let block = Block::decode(&stored.block).map_err(bad)?;
            let mut spent = Vec::new();
            for output in stored.spent(&block).map_err(bad)? {
                spent.extend_from_slice(&output.value.to_le_bytes());
                put_bytes(&output.script, &mut spent);
            }
            if block.spending_inputs() > 0 {
                blocks.push(Self { network, height, bytes: stored.block, spent });
            }
        }
        Ok(blocks)
    }

    /// The rules of consensus for it.
    pub(crate) fn flags(&self) -> Result<Flags, Failure> {
        let block = Block::decode(&self.bytes).map_err(|error| Failure::NotThere(error.to_string()))?;
        Ok(self.network.flags(self.height, &block.header.hash()))
    }
}

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data").join(name)
}

fn read(name: &str) -> Result<Vec<u8>, Failure> {
    fs::read(path(name)).map_err(|error| Failure::NotThere(format!("../shared/data/{name}: {error}")))
}

fn unpack(name: &str) -> Result<Vec<u8>, Failure> {
    zstd::decode_all(&read(name)?[..]).map_err(|error| Failure::NotThere(format!("../shared/data/{name}: {error}")))
}

/// The outputs of a JSON file of spent outputs.
fn encoded(json: &[u8]) -> Option<Vec<u8>> {
    let json: serde_json::Value = serde_json::from_slice(json).ok()?;
    let mut encoded = Vec::new();
    for spent in json.as_array()? {
        let output = &spent["txout"];
        encoded.extend_from_slice(&output["value"].as_u64()?.to_le_bytes());
        put_bytes(&const_hex::decode(output["script_pubkey"].as_str()?).ok()?, &mut encoded);
    }
    Some(encoded)
}

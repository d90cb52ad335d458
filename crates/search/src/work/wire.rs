//! Numbers, texts and lists as bytes: small numbers are short, and nothing read from elsewhere is believed to be as long as it says.

use super::error::WorkError;

/// FNV-1a, which notices accidents.
pub(crate) fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

/// Bytes that are being written.
#[derive(Clone, Debug, Default)]
pub(crate) struct Writer(pub Vec<u8>);

impl Writer {
    pub fn byte(&mut self, byte: u8) {
        self.0.push(byte);
    }

    /// Seven bits a byte, lowest first.
    pub fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    pub fn length(&mut self, length: usize) {
        self.number(length as u64);
    }

    pub fn text(&mut self, text: &str) {
        self.length(text.len());
        self.0.extend_from_slice(text.as_bytes());
    }

    /// Something that may not be there.
    pub fn option<T>(&mut self, value: Option<T>, write: impl FnOnce(&mut Writer, T)) {
        self.byte(u8::from(value.is_some()));
        if let Some(value) = value {
            write(self, value);
        }
    }

    /// Eight bytes.
    pub fn word(&mut self, word: u64) {
        self.0.extend_from_slice(&word.to_le_bytes());
    }
}

/// Bytes that are being read.
#[derive(Clone, Debug)]
pub(crate) struct Reader<'b>(pub &'b [u8]);

impl<'b> Reader<'b> {
    pub fn byte(&mut self) -> Result<u8, WorkError> {
        let (first, rest) = self.0.split_first().ok_or(WorkError::Short)?;
        self.0 = rest;
        Ok(*first)
    }

    pub fn number(&mut self) -> Result<u64, WorkError> {
        let mut number = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let part = u64::from(byte & 0x7f);
            if part << shift >> shift != part {
                break;
            }
            number |= part << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(WorkError::Wrong("a number of more than 64 bits"))
    }

    pub fn small(&mut self) -> Result<u32, WorkError> {
        u32::try_from(self.number()?).map_err(|_| WorkError::Wrong("a number of more than 32 bits"))
    }

    /// The number of things that follow, each of a byte at least.
    pub fn length(&mut self) -> Result<usize, WorkError> {
        let length = usize::try_from(self.number()?).map_err(|_| WorkError::Short)?;
        if length > self.0.len() { Err(WorkError::Short) } else { Ok(length) }
    }

    pub fn bytes(&mut self, count: usize) -> Result<&'b [u8], WorkError> {
        let (first, rest) = self.0.split_at_checked(count).ok_or(WorkError::Short)?;
        self.0 = rest;
        Ok(first)
    }

    pub fn text(&mut self) -> Result<String, WorkError> {
        let length = self.length()?;
        let text = std::str::from_utf8(self.bytes(length)?).map_err(|_| WorkError::Wrong("a text that is none"))?;
        Ok(text.to_owned())
    }

    pub fn flag(&mut self) -> Result<bool, WorkError> {
        match self.byte()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(WorkError::Wrong("neither yes nor no")),
        }
    }

    pub fn option<T>(
        &mut self,
        read: impl FnOnce(&mut Reader<'b>) -> Result<T, WorkError>,
    ) -> Result<Option<T>, WorkError> {
        if self.flag()? { read(self).map(Some) } else { Ok(None) }
    }

    /// A list.
    pub fn list<T>(
        &mut self,
        mut read: impl FnMut(&mut Reader<'b>) -> Result<T, WorkError>,
    ) -> Result<Vec<T>, WorkError> {
        let length = self.length()?;
        (0..length).map(|_| read(self)).collect()
    }

    pub fn word(&mut self) -> Result<u64, WorkError> {
        let bytes = self.bytes(8)?;
        Ok(bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)))
    }

    pub fn end(&self) -> Result<(), WorkError> {
        if self.0.is_empty() { Ok(()) } else { Err(WorkError::Wrong("more than there should be")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_and_nonsense_is_refused() {
        let numbers = [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX - 1, u64::MAX];
        let mut writer = Writer::default();
        numbers.iter().for_each(|number| writer.number(*number));
        writer.word(0x0102_0304_0506_0708);
        writer.text("añb");
        let mut reader = Reader(&writer.0);
        assert!(numbers.iter().all(|number| reader.number() == Ok(*number)));
        assert_eq!((reader.word(), reader.text().as_deref()), (Ok(0x0102_0304_0506_0708), Ok("añb")));
        assert!(reader.end().is_ok() && reader.byte() == Err(WorkError::Short));
        assert!(Reader(&[0xff; 11]).number().is_err() && Reader(&[200, 1, 0]).length().is_err());
    }
}

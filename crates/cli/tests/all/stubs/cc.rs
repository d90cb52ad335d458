//! As much of cc as the exported build scripts use.

use std::process::Command;

pub struct Build {
    files: Vec<String>,
    flags: Vec<String>,
    cpp: bool,
}

impl Build {
    pub fn new() -> Build {
        Build { files: Vec::new(), flags: Vec::new(), cpp: false }
    }
    pub fn file(&mut self, file: &str) -> &mut Build {
        self.files.push(file.to_owned());
        self
    }
    pub fn flag(&mut self, flag: &str) -> &mut Build {
        self.flags.push(flag.to_owned());
        self
    }
    pub fn cpp(&mut self, cpp: bool) -> &mut Build {
        self.cpp = cpp;
        self
    }
    pub fn include(&mut self, _: &str) -> &mut Build {
        self
    }
    pub fn opt_level(&mut self, _: u32) -> &mut Build {
        self
    }
    pub fn warnings(&mut self, _: bool) -> &mut Build {
        self
    }
    pub fn compile(&mut self, name: &str) {
        let out = std::env::var("OUT_DIR").unwrap();
        let library = format!("{out}/lib{name}.a");
        for (number, file) in self.files.iter().enumerate() {
            let object = format!("{out}/{name}{number}.o");
            let compiler = if self.cpp { "c++" } else { "cc" };
            let mut command = Command::new(compiler);
            command.args(["-O2", "-I.", "-c"]).args(&self.flags).args([file, "-o", &object]);
            assert!(command.status().unwrap().success());
            assert!(Command::new("ar").args(["cr", &library, &object]).status().unwrap().success());
        }
        println!("cargo:rustc-link-search=native={out}\ncargo:rustc-link-lib=static={name}");
        if self.cpp {
            println!("cargo:rustc-link-lib=stdc++");
        }
    }
}

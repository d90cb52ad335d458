//! Which two instructions have a dense one that does both.

/// Calls `$callback! { $($extra)* [name first second; …] [name first second; …] }` with the pairs that have an operator of their own. Of
/// those in the second list the second part takes the result of the first as its operand `a`, so that it need not wait for a register.
/// Which ones there are is by what compiled loops consist of: counters, elements of arrays, hashes, tests of what was just
/// loaded, copies where ways come together.
#[macro_export]
macro_rules! for_each_dense_pair {
    ($callback:ident $($extra:tt)*) => {
        $callback! { $($extra)* [
            CopyCopy Copy Copy;
            CopyConst Copy Const;
            ConstCopy Const Copy;
            ConstConst Const Const;
            CopyCharge Copy Charge;
            ConstCharge Const Charge;
            CopyBr Copy Br;
            ConstBr Const Br;
            CopyLtS Copy LtS;
            CopyGeS Copy GeS;
            CopyLtSI Copy LtSI;
            CopyGeSI Copy GeSI;
            CopyGtSI Copy GtSI;
            CopyEqI Copy EqI;
            CopyNeI Copy NeI;
            CopyShlI Copy ShlI;
            CopyLoad32 Copy Load32;
            ChargeCopy Charge Copy;
            ChargeConst Charge Const;
            ChargeEqI Charge EqI;
            ChargeNeI Charge NeI;
            AddIBr AddI Br;
            AddBr Add Br;
            AddIAddI AddI AddI;
            AddIAdd AddI Add;
            AddAddI Add AddI;
            AddAdd Add Add;
            AddICopy AddI Copy;
            Load32Load32 Load32 Load32;
            Load32AddI Load32 AddI;
            Load32Copy Load32 Copy;
            Load32Store32 Load32 Store32;
            Load8ULoad8U Load8U Load8U;
            Load8UAddI Load8U AddI;
            AddStore32 Add Store32;
            Store32AddI Store32 AddI;
            Store32Copy Store32 Copy;
            Store32Br Store32 Br;
            Store8AddI Store8 AddI;
        ] [
            AddILtS AddI LtS;
            AddIGeS AddI GeS;
            AddIEqI AddI EqI;
            AddINeI AddI NeI;
            MulAdd Mul Add;
            MulIAdd MulI Add;
            MulIAddI MulI AddI;
            ShlIAdd ShlI Add;
            ShlIAddI ShlI AddI;
            ShlIOrI ShlI OrI;
            OrILtS OrI LtS;
            ShlIXor ShlI Xor;
            ShrUIXor ShrUI Xor;
            ShrUAndI ShrU AndI;
            ShrUIAndI ShrUI AndI;
            AndIXor AndI Xor;
            AndIEqI AndI EqI;
            AndINeI AndI NeI;
            XorMulI Xor MulI;
            XorAndI Xor AndI;
            Load32Add Load32 Add;
            Load32Mul Load32 Mul;
            Load32LtS Load32 LtS;
            Load32GeS Load32 GeS;
            Load32GtS Load32 GtS;
            Load32LeS Load32 LeS;
            Load32Eq Load32 Eq;
            Load32Ne Load32 Ne;
            Load32EqI Load32 EqI;
            Load32NeI Load32 NeI;
            Load32FlagGtS Load32 FlagGtS;
            Load32FlagLtS Load32 FlagLtS;
            Load8UEqI Load8U EqI;
            Load8UNeI Load8U NeI;
            Load8UEq Load8U Eq;
            Load8UNe Load8U Ne;
            AddLoad32 Add Load32;
            AddILoad32 AddI Load32;
            AddLoad8U Add Load8U;
            AddILoad8U AddI Load8U;
        ] }
    };
}

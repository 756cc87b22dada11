import { testGrep } from "../../../test/tools/grep-kit.ts"
import { findSystemProgram } from "../../ground/system-program.ts"

/** A ripgrep to test with where the system has none: CADRE_TEST_RIPGREP=/path/to/rg */
testGrep("ripgrep", process.env.CADRE_TEST_RIPGREP ?? findSystemProgram("rg"))

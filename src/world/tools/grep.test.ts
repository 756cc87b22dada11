import { testGrep } from "../../../test/tools/grep-kit.ts"

testGrep("with no ripgrep", "")

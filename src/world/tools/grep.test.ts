import { testGrep } from "../../../test/tools/grep-kit.ts"

testGrep("no ripgrep", "")

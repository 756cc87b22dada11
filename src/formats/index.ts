import { cadre } from "./cadre.ts"
import { claude } from "./claude.ts"
import type { Format } from "./format.ts"

/** Every format, in the order in which the first of two files with one name in one scope wins. */
export const formats: readonly Format[] = [cadre, claude]

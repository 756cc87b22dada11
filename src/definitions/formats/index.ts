import { acai } from "./acai.ts"
import { cadre } from "./cadre.ts"
import { claude } from "./claude.ts"
import { codexMarkdown } from "./codex-md.ts"
import type { Format } from "./format.ts"
import { gobby } from "./gobby.ts"
import { remora } from "./remora.ts"

/** Every format, in the order in which the first of two files with one name in one scope wins. */
export const formats: readonly Format[] = [cadre, claude, codexMarkdown, acai, gobby, remora]

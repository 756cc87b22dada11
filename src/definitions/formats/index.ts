import { acai } from "./acai.ts"
import { cadre } from "./cadre.ts"
import { claude } from "./claude.ts"
import { codexMarkdown } from "./codex-md.ts"
import type { Format } from "./format.ts"
import { gobby } from "./gobby.ts"
import { remora } from "./remora.ts"

/** Every format. If two files in one scope define the same name, the format that comes first here wins. */
export const formats: readonly Format[] = [cadre, claude, codexMarkdown, acai, gobby, remora]

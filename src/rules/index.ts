import type { DiagnosticRule } from "./rule.ts"
import { toolsNone } from "./tools-none.ts"

/** Every rule, by code. */
export const rules: readonly DiagnosticRule[] = [toolsNone]

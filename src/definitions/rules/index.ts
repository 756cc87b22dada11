import { agentDisabled } from "./agent-disabled.ts"
import { checkingRules } from "./checking.ts"
import { contextFile } from "./context-file.ts"
import { descriptionLong } from "./description-long.ts"
import { executorDenied } from "./executor-denied.ts"
import { executorUnheard } from "./executor-unheard.ts"
import { executorUnknown } from "./executor-unknown.ts"
import { fieldMissing } from "./field-missing.ts"
import { fieldType } from "./field-type.ts"
import { fileEmpty } from "./file-empty.ts"
import { fileIgnored } from "./file-ignored.ts"
import { fileSpecial } from "./file-special.ts"
import { fileTooLarge } from "./file-too-large.ts"
import { fileUnreadable } from "./file-unreadable.ts"
import { folderTooLarge } from "./folder-too-large.ts"
import { folderUnreadable } from "./folder-unreadable.ts"
import { formatLater } from "./format-later.ts"
import { frontmatterLanguage } from "./frontmatter-language.ts"
import { frontmatterMissing } from "./frontmatter-missing.ts"
import { frontmatterUnclosed } from "./frontmatter-unclosed.ts"
import { gateFolder } from "./gate-folder.ts"
import { gateName } from "./gate-name.ts"
import { hookAgentNobody } from "./hook-agent-nobody.ts"
import { hookAgentUnknown } from "./hook-agent-unknown.ts"
import { hookForeign } from "./hook-foreign.ts"
import { hookInvalid } from "./hook-invalid.ts"
import { hookNameAbsent } from "./hook-name-absent.ts"
import { hookNever } from "./hook-never.ts"
import { hookOff } from "./hook-off.ts"
import { hookSkillUnknown } from "./hook-skill-unknown.ts"
import { hookToolUnknown } from "./hook-tool-unknown.ts"
import { hookVariableLocked } from "./hook-variable-locked.ts"
import { instructionsMissing } from "./instructions-missing.ts"
import { isolationRefused } from "./isolation-refused.ts"
import { jsonInvalid } from "./json-invalid.ts"
import { keyDuplicate } from "./key-duplicate.ts"
import { keyNearMiss } from "./key-near-miss.ts"
import { keyRestricting } from "./key-restricting.ts"
import { keySuperseded } from "./key-superseded.ts"
import { keyUnknown } from "./key-unknown.ts"
import { lifecycleUnknown } from "./lifecycle-unknown.ts"
import { limitInvalid } from "./limit-invalid.ts"
import { limitNone } from "./limit-none.ts"
import { limitUnknown } from "./limit-unknown.ts"
import { limitUnsupported } from "./limit-unsupported.ts"
import { linkOutside } from "./link-outside.ts"
import { listBlank } from "./list-blank.ts"
import { listDuplicate } from "./list-duplicate.ts"
import { mapExpected } from "./map-expected.ts"
import { modeRefused } from "./mode-refused.ts"
import { modelConflict } from "./model-conflict.ts"
import { modelDenied } from "./model-denied.ts"
import { modelInvalid } from "./model-invalid.ts"
import { modelRetired } from "./model-retired.ts"
import { modelUnknown } from "./model-unknown.ts"
import { nameCollision } from "./name-collision.ts"
import { nameInvalid } from "./name-invalid.ts"
import { nameNotFile } from "./name-not-file.ts"
import { nameShadowed } from "./name-shadowed.ts"
import { nameUnsafe } from "./name-unsafe.ts"
import { nameVariant } from "./name-variant.ts"
import { parameterReserved } from "./parameter-reserved.ts"
import { pathMissing } from "./path-missing.ts"
import { pathOutside } from "./path-outside.ts"
import { pluginKey } from "./plugin-key.ts"
import { postconditionUnchecked } from "./postcondition-unchecked.ts"
import { promptTooLong } from "./prompt-too-long.ts"
import { restrictionKept } from "./restriction-kept.ts"
import type { DiagnosticRule } from "./rule.ts"
import { ruleFailed } from "./rule-failed.ts"
import { scopeShadowsRights } from "./scope-shadows-rights.ts"
import { secretInFile } from "./secret-in-file.ts"
import { secretWrittenOut } from "./secret-written-out.ts"
import { settingsForeign } from "./settings-foreign.ts"
import { skillUnknown } from "./skill-unknown.ts"
import { startRefused } from "./start-refused.ts"
import { subagentsDisabled } from "./subagents-disabled.ts"
import { submitResult } from "./submit-result.ts"
import { templateInvalid } from "./template-invalid.ts"
import { templateVariable } from "./template-variable.ts"
import { textBinary } from "./text-binary.ts"
import { textNotUtf8 } from "./text-not-utf8.ts"
import { toolMcp } from "./tool-mcp.ts"
import { toolParametersOpen } from "./tool-parameters-open.ts"
import { toolParametersSchema } from "./tool-parameters-schema.ts"
import { toolParametersType } from "./tool-parameters-type.ts"
import { toolSchemaMissing } from "./tool-schema-missing.ts"
import { toolScript } from "./tool-script.ts"
import { toolsDenied } from "./tools-denied.ts"
import { workflowUnknown } from "./workflow-unknown.ts"
import { yamlInvalid } from "./yaml-invalid.ts"
import { yamlRepaired } from "./yaml-repaired.ts"

/** Every rule, by code: those that look at agents, and those that explain what is found elsewhere. */
export const rules: readonly DiagnosticRule[] = [
  ...checkingRules,
  agentDisabled,
  descriptionLong,
  fieldMissing,
  fieldType,
  fileEmpty,
  fileIgnored,
  fileSpecial,
  fileTooLarge,
  fileUnreadable,
  folderTooLarge,
  folderUnreadable,
  formatLater,
  frontmatterLanguage,
  frontmatterMissing,
  frontmatterUnclosed,
  gateFolder,
  gateName,
  hookAgentNobody,
  hookAgentUnknown,
  hookForeign,
  hookInvalid,
  hookNameAbsent,
  hookNever,
  hookOff,
  hookSkillUnknown,
  hookToolUnknown,
  hookVariableLocked,
  instructionsMissing,
  jsonInvalid,
  keyDuplicate,
  keyNearMiss,
  keyRestricting,
  keySuperseded,
  keyUnknown,
  lifecycleUnknown,
  limitInvalid,
  limitNone,
  limitUnknown,
  limitUnsupported,
  linkOutside,
  listBlank,
  listDuplicate,
  mapExpected,
  modelConflict,
  modelDenied,
  modelInvalid,
  modelRetired,
  nameCollision,
  nameInvalid,
  nameNotFile,
  nameShadowed,
  nameUnsafe,
  nameVariant,
  parameterReserved,
  pathMissing,
  pathOutside,
  pluginKey,
  restrictionKept,
  ruleFailed,
  scopeShadowsRights,
  secretInFile,
  secretWrittenOut,
  settingsForeign,
  submitResult,
  templateInvalid,
  templateVariable,
  textBinary,
  textNotUtf8,
  toolParametersOpen,
  toolParametersSchema,
  toolParametersType,
  toolSchemaMissing,
  yamlInvalid,
  yamlRepaired,
  toolMcp,
  toolScript,
  toolsDenied,
  modeRefused,
  isolationRefused,
  postconditionUnchecked,
  executorUnheard,
  executorDenied,
  contextFile,
  promptTooLong,
  subagentsDisabled,
  startRefused,
  executorUnknown,
  workflowUnknown,
  skillUnknown,
  modelUnknown,
].sort((left, right) => (left.code < right.code ? -1 : 1))

import { checkingRules } from "./checking.ts"
import { fileEmpty } from "./files/file-empty.ts"
import { fileIgnored } from "./files/file-ignored.ts"
import { fileSpecial } from "./files/file-special.ts"
import { fileTooLarge } from "./files/file-too-large.ts"
import { fileUnreadable } from "./files/file-unreadable.ts"
import { folderTooLarge } from "./files/folder-too-large.ts"
import { folderUnreadable } from "./files/folder-unreadable.ts"
import { formatLater } from "./files/format-later.ts"
import { linkOutside } from "./files/link-outside.ts"
import { pathMissing } from "./files/path-missing.ts"
import { pathOutside } from "./files/path-outside.ts"
import { textBinary } from "./files/text-binary.ts"
import { textNotUtf8 } from "./files/text-not-utf8.ts"
import { gateFolder } from "./hooks/gate-folder.ts"
import { gateName } from "./hooks/gate-name.ts"
import { hookAgentNobody } from "./hooks/hook-agent-nobody.ts"
import { hookAgentUnknown } from "./hooks/hook-agent-unknown.ts"
import { hookForeign } from "./hooks/hook-foreign.ts"
import { hookInvalid } from "./hooks/hook-invalid.ts"
import { hookNameAbsent } from "./hooks/hook-name-absent.ts"
import { hookNever } from "./hooks/hook-never.ts"
import { hookOff } from "./hooks/hook-off.ts"
import { hookSkillUnknown } from "./hooks/hook-skill-unknown.ts"
import { hookToolUnknown } from "./hooks/hook-tool-unknown.ts"
import { hookVariableLocked } from "./hooks/hook-variable-locked.ts"
import { lifecycleUnknown } from "./hooks/lifecycle-unknown.ts"
import { settingsForeign } from "./hooks/settings-foreign.ts"
import { fieldMissing } from "./keys/field-missing.ts"
import { fieldType } from "./keys/field-type.ts"
import { instructionsMissing } from "./keys/instructions-missing.ts"
import { keyDuplicate } from "./keys/key-duplicate.ts"
import { keyNearMiss } from "./keys/key-near-miss.ts"
import { keyRestricting } from "./keys/key-restricting.ts"
import { keySuperseded } from "./keys/key-superseded.ts"
import { keyUnknown } from "./keys/key-unknown.ts"
import { listBlank } from "./keys/list-blank.ts"
import { listDuplicate } from "./keys/list-duplicate.ts"
import { pluginKey } from "./keys/plugin-key.ts"
import { restrictionKept } from "./keys/restriction-kept.ts"
import { limitInvalid } from "./limits/limit-invalid.ts"
import { limitNone } from "./limits/limit-none.ts"
import { limitUnknown } from "./limits/limit-unknown.ts"
import { limitUnsupported } from "./limits/limit-unsupported.ts"
import { modelConflict } from "./models/model-conflict.ts"
import { modelDenied } from "./models/model-denied.ts"
import { modelInvalid } from "./models/model-invalid.ts"
import { modelRetired } from "./models/model-retired.ts"
import { modelUnknown } from "./models/model-unknown.ts"
import { parameterReserved } from "./models/parameter-reserved.ts"
import { agentDisabled } from "./names/agent-disabled.ts"
import { descriptionLong } from "./names/description-long.ts"
import { nameCollision } from "./names/name-collision.ts"
import { nameInvalid } from "./names/name-invalid.ts"
import { nameNotFile } from "./names/name-not-file.ts"
import { nameShadowed } from "./names/name-shadowed.ts"
import { nameUnsafe } from "./names/name-unsafe.ts"
import { nameVariant } from "./names/name-variant.ts"
import { scopeShadowsRights } from "./names/scope-shadows-rights.ts"
import { pipelineForeign } from "./pipelines/pipeline-foreign.ts"
import type { DiagnosticRule } from "./rule.ts"
import { ruleFailed } from "./rule-failed.ts"
import { mcpServerSecret } from "./secrets/mcp-server-secret.ts"
import { secretInFile } from "./secrets/secret-in-file.ts"
import { secretWrittenOut } from "./secrets/secret-written-out.ts"
import { contextFile } from "./starting/context-file.ts"
import { executorDenied } from "./starting/executor-denied.ts"
import { executorUnheard } from "./starting/executor-unheard.ts"
import { executorUnknown } from "./starting/executor-unknown.ts"
import { isolationRefused } from "./starting/isolation-refused.ts"
import { modeRefused } from "./starting/mode-refused.ts"
import { postconditionUnchecked } from "./starting/postcondition-unchecked.ts"
import { promptTooLong } from "./starting/prompt-too-long.ts"
import { skillUnknown } from "./starting/skill-unknown.ts"
import { startRefused } from "./starting/start-refused.ts"
import { subagentsDisabledRule } from "./starting/subagents-disabled.ts"
import { templateInvalid } from "./starting/template-invalid.ts"
import { templateVariable } from "./starting/template-variable.ts"
import { frontmatterLanguage } from "./syntax/frontmatter-language.ts"
import { frontmatterMissing } from "./syntax/frontmatter-missing.ts"
import { frontmatterUnclosed } from "./syntax/frontmatter-unclosed.ts"
import { jsonInvalid } from "./syntax/json-invalid.ts"
import { mapExpected } from "./syntax/map-expected.ts"
import { yamlInvalid } from "./syntax/yaml-invalid.ts"
import { yamlRepaired } from "./syntax/yaml-repaired.ts"
import { inputsOverride } from "./tools/inputs-override.ts"
import { mcpServerApproval } from "./tools/mcp-server-approval.ts"
import { mcpServerInvalid } from "./tools/mcp-server-invalid.ts"
import { mcpServerShadowed } from "./tools/mcp-server-shadowed.ts"
import { mcpServerUnknown } from "./tools/mcp-server-unknown.ts"
import { submitResult } from "./tools/submit-result.ts"
import { toolMcp } from "./tools/tool-mcp.ts"
import { toolMcpIdle } from "./tools/tool-mcp-idle.ts"
import { toolMcpUnknown } from "./tools/tool-mcp-unknown.ts"
import { toolParametersOpen } from "./tools/tool-parameters-open.ts"
import { toolParametersSchema } from "./tools/tool-parameters-schema.ts"
import { toolParametersType } from "./tools/tool-parameters-type.ts"
import { toolScript } from "./tools/tool-script.ts"
import { toolsDenied } from "./tools/tools-denied.ts"
import { workflowUnknown } from "./workflows/workflow-unknown.ts"

/** Every rule, by code: the rules that check agents, and the rules that explain findings of the reader and registry. */
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
  mcpServerApproval,
  mcpServerInvalid,
  mcpServerSecret,
  mcpServerShadowed,
  mcpServerUnknown,
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
  inputsOverride,
  yamlInvalid,
  yamlRepaired,
  toolMcp,
  toolMcpIdle,
  toolMcpUnknown,
  toolScript,
  toolsDenied,
  modeRefused,
  isolationRefused,
  postconditionUnchecked,
  executorUnheard,
  executorDenied,
  contextFile,
  promptTooLong,
  subagentsDisabledRule,
  startRefused,
  pipelineForeign,
  executorUnknown,
  workflowUnknown,
  skillUnknown,
  modelUnknown,
].sort((left, right) => (left.code < right.code ? -1 : 1))

import { delegationCircular } from "./delegation/delegation-circular.ts"
import { delegationDenied } from "./delegation/delegation-denied.ts"
import { delegationNarrow } from "./delegation/delegation-narrow.ts"
import { delegationUnknown } from "./delegation/delegation-unknown.ts"
import { delegationUnreachable } from "./delegation/delegation-unreachable.ts"
import { fallbackCircular } from "./delegation/fallback-circular.ts"
import { fallbackUnknown } from "./delegation/fallback-unknown.ts"
import { keyWithoutEffect } from "./keys/key-without-effect.ts"
import { timeoutCut } from "./limits/timeout-cut.ts"
import { descriptionOverlap } from "./names/description-overlap.ts"
import { pipelineAgent } from "./pipelines/pipeline-agent.ts"
import { pipelineDuplicate } from "./pipelines/pipeline-duplicate.ts"
import { pipelineExpression } from "./pipelines/pipeline-expression.ts"
import { pipelineInvalid } from "./pipelines/pipeline-invalid.ts"
import { pipelineName } from "./pipelines/pipeline-name.ts"
import { pipelineType } from "./pipelines/pipeline-type.ts"
import { pipelineUnbounded } from "./pipelines/pipeline-unbounded.ts"
import { pipelineWait } from "./pipelines/pipeline-wait.ts"
import type { DiagnosticRule } from "./rule.ts"
import { secretInDefinition } from "./secrets/secret-in-definition.ts"
import { variableInvalid } from "./starting/variable-invalid.ts"
import { descriptionCut } from "./syntax/description-cut.ts"
import { configurationDenied } from "./tools/configuration-denied.ts"
import { grantDangerous } from "./tools/grant-dangerous.ts"
import { promptToolMissing } from "./tools/prompt-tool-missing.ts"
import { scriptCheck } from "./tools/script-check.ts"
import { toolArgument } from "./tools/tool-argument.ts"
import { toolDuplicate } from "./tools/tool-duplicate.ts"
import { toolForeign } from "./tools/tool-foreign.ts"
import { toolTranslated } from "./tools/tool-translated.ts"
import { toolUnknown } from "./tools/tool-unknown.ts"
import { toolsConflict } from "./tools/tools-conflict.ts"
import { toolsNone } from "./tools/tools-none.ts"
import { toolsUnresolved } from "./tools/tools-unresolved.ts"
import { stepAgentUnknown } from "./workflows/step-agent-unknown.ts"
import { stepDuplicate } from "./workflows/step-duplicate.ts"
import { stepStuck } from "./workflows/step-stuck.ts"
import { stepToolUnknown } from "./workflows/step-tool-unknown.ts"
import { stepUnknown } from "./workflows/step-unknown.ts"
import { stepUnreachable } from "./workflows/step-unreachable.ts"
import { workflowForeign } from "./workflows/workflow-foreign.ts"
import { workflowInvalid } from "./workflows/workflow-invalid.ts"
import { workflowUnheard } from "./workflows/workflow-unheard.ts"
import { workflowVariableLocked } from "./workflows/workflow-variable-locked.ts"

/** The rules that check agents. */
export const checkingRules: readonly DiagnosticRule[] = [
  configurationDenied,
  delegationCircular,
  delegationDenied,
  delegationNarrow,
  delegationUnknown,
  delegationUnreachable,
  descriptionCut,
  descriptionOverlap,
  fallbackCircular,
  fallbackUnknown,
  grantDangerous,
  keyWithoutEffect,
  pipelineAgent,
  pipelineDuplicate,
  pipelineExpression,
  pipelineInvalid,
  pipelineName,
  pipelineType,
  pipelineUnbounded,
  pipelineWait,
  promptToolMissing,
  scriptCheck,
  secretInDefinition,
  stepAgentUnknown,
  stepDuplicate,
  stepStuck,
  stepToolUnknown,
  stepUnknown,
  stepUnreachable,
  timeoutCut,
  toolArgument,
  toolDuplicate,
  toolForeign,
  toolTranslated,
  toolUnknown,
  toolsConflict,
  toolsNone,
  toolsUnresolved,
  variableInvalid,
  workflowForeign,
  workflowInvalid,
  workflowUnheard,
  workflowVariableLocked,
]

/** The rules whose findings keep agents from running. */
export const stoppingRules: readonly DiagnosticRule[] = checkingRules.filter(
  ({ severity }) => severity === "error",
)

import { configurationDenied } from "./configuration-denied.ts"
import { delegationCircular } from "./delegation-circular.ts"
import { delegationDenied } from "./delegation-denied.ts"
import { delegationNarrow } from "./delegation-narrow.ts"
import { delegationUnknown } from "./delegation-unknown.ts"
import { delegationUnreachable } from "./delegation-unreachable.ts"
import { descriptionOverlap } from "./description-overlap.ts"
import { fallbackCircular } from "./fallback-circular.ts"
import { fallbackUnknown } from "./fallback-unknown.ts"
import { grantDangerous } from "./grant-dangerous.ts"
import { keyWithoutEffect } from "./key-without-effect.ts"
import { pipelineAgent } from "./pipeline-agent.ts"
import { pipelineDuplicate } from "./pipeline-duplicate.ts"
import { pipelineExpression } from "./pipeline-expression.ts"
import { pipelineInvalid } from "./pipeline-invalid.ts"
import { pipelineName } from "./pipeline-name.ts"
import { pipelineType } from "./pipeline-type.ts"
import { pipelineUnbounded } from "./pipeline-unbounded.ts"
import { pipelineWait } from "./pipeline-wait.ts"
import { promptToolMissing } from "./prompt-tool-missing.ts"
import type { DiagnosticRule } from "./rule.ts"
import { secretInDefinition } from "./secret-in-definition.ts"
import { stepAgentUnknown } from "./step-agent-unknown.ts"
import { stepDuplicate } from "./step-duplicate.ts"
import { stepStuck } from "./step-stuck.ts"
import { stepToolUnknown } from "./step-tool-unknown.ts"
import { stepUnknown } from "./step-unknown.ts"
import { stepUnreachable } from "./step-unreachable.ts"
import { timeoutCut } from "./timeout-cut.ts"
import { toolArgument } from "./tool-argument.ts"
import { toolDuplicate } from "./tool-duplicate.ts"
import { toolForeign } from "./tool-foreign.ts"
import { toolTranslated } from "./tool-translated.ts"
import { toolUnknown } from "./tool-unknown.ts"
import { toolsConflict } from "./tools-conflict.ts"
import { toolsNone } from "./tools-none.ts"
import { toolsUnresolved } from "./tools-unresolved.ts"
import { variableInvalid } from "./variable-invalid.ts"
import { workflowForeign } from "./workflow-foreign.ts"
import { workflowInvalid } from "./workflow-invalid.ts"
import { workflowUnheard } from "./workflow-unheard.ts"
import { workflowVariableLocked } from "./workflow-variable-locked.ts"

/** The rules that look at agents. */
export const checkingRules: readonly DiagnosticRule[] = [
  configurationDenied,
  delegationCircular,
  delegationDenied,
  delegationNarrow,
  delegationUnknown,
  delegationUnreachable,
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

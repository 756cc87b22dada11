import type { ModelChoice } from "../../agent/agent.ts"
import type { ModelUse } from "../../agent/model.ts"
import { CadreError, type ErrorCode, type StartProblem } from "../../ground/errors.ts"
import type { AttachmentType } from "../../ground/message.ts"
import type { StartModel } from "../log/event-run.ts"
import type { Beginning } from "../ports/beginning.ts"
import type { Environment } from "../ports/environment.ts"
import { getRunKind } from "./kind.ts"
import {
  checkOverride,
  type ModelSourceChoice,
  rankModels,
  resolveChoice,
  settleAnyModel,
} from "./settle-model.ts"
import { attemptStart, collectProblems } from "./start-problem.ts"

export interface ExplainedModel extends ModelClaim {
  /** The program that runs the agent. It chooses the model itself, unless it has an option for the requested one. */
  readonly executor?: string
  /** The attachments that the model can read. Absent if no model was resolved, or a program runs the agent. */
  readonly sees?: readonly AttachmentType[]
  readonly over: readonly ModelClaim[]
}

/** A model as one source names it. */
export interface ModelClaim {
  readonly source: StartModel["source"]
  /** The model as it is written; null where no source names one. */
  readonly requested: ModelChoice
  /** The models that the request resolves to, in the order to try them. Absent if it cannot be resolved. */
  readonly uses?: readonly ModelUse[]
  readonly warnings?: readonly string[]
  /** The places, such as another host's settings, that fill in what the request leaves open. */
  readonly settingPlaces?: readonly string[]
  readonly problem?: string
  readonly code?: ErrorCode
}

/** The model of the first source, which takes effect, and the models of all others. */
export async function explainModel(environment: Environment, beginning: Beginning): Promise<ExplainedModel> {
  const { executor } = beginning.agent
  const sayings = rankModels(beginning)
  const claims: ModelClaim[] = []
  for (const saying of executor === undefined ? sayings : sayings.filter(isTold))
    claims.push({
      source: saying.source,
      requested: saying.choice ?? null,
      ...(await settledOrNot(environment, beginning, saying)),
    })
  const [first = noModel, ...over] = claims
  if (executor !== undefined) return { ...first, executor, over }
  const [use] = first.uses ?? []
  const model = use && (await attemptStart(() => environment.models.open(use))).value
  return { ...first, ...(model && { sees: model.sees ?? [] }), over }
}

/** A program is told the model of the call or of its agent's definition, never a parent's or the default. */
const isTold = ({ source }: ModelSourceChoice): boolean => source === "call" || source === "definition"

const noModel: ModelClaim = { source: "default", requested: null }

type Settled = Omit<ModelClaim, "source" | "requested">

async function settledOrNot(
  environment: Environment,
  beginning: Beginning,
  saying: ModelSourceChoice,
): Promise<Settled> {
  if (getRunKind(beginning.agent) === "command") return {}
  try {
    return await resolveChoice(environment, withoutParentOf(beginning, saying), saying)
  } catch (error) {
    if (!(error instanceof CadreError)) throw error
    return { problem: error.message, code: error.code }
  }
}

/** The problems that prevent a call of the model and that are visible without one. */
export const findModelProblems = async (
  environment: Environment,
  beginning: Beginning,
): Promise<readonly StartProblem[]> => [
  ...collectProblems(() => checkOverride(environment, beginning)),
  ...(await attemptStart(() => settleAnyModel(environment, beginning, {}))).problems,
]

/** The default only takes effect where there is no parent to inherit from, so it is resolved without one. */
function withoutParentOf(beginning: Beginning, { source, choice }: ModelSourceChoice): Beginning {
  if (source !== "default" || choice === null) return beginning
  const { parent: _, ...root } = beginning
  return root
}

import type { ModelChoice } from "../../agent/agent.ts"
import type { ModelUse } from "../../agent/model.ts"
import { CadreError, type ErrorCode, type StartProblem } from "../../ground/errors.ts"
import type { AttachmentType } from "../../ground/message.ts"
import type { StartModel } from "../log/event-run.ts"
import type { Beginning } from "../ports/beginning.ts"
import type { Environment } from "../ports/environment.ts"
import { kindOf } from "./kind.ts"
import { checkOverride, type ModelSaying, modelSayings, settleChosen, settleSaying } from "./settle-model.ts"
import { attempted, failures } from "./start-problem.ts"

export interface ExplainedModel extends ModelClaim {
  /** The program that runs the agent: it chooses the model, unless it has words for the one that is requested. */
  readonly executor?: string
  /** What it reads besides text. Absent where it comes to nothing, or a program runs the agent. */
  readonly sees?: readonly AttachmentType[]
  readonly over: readonly ModelClaim[]
}

/** A model that somebody says. */
export interface ModelClaim {
  readonly source: StartModel["source"]
  /** As it is written; null where nobody said anything. */
  readonly requested: ModelChoice
  /** What that comes to, in the order to be tried. Absent where it comes to nothing. */
  readonly uses?: readonly ModelUse[]
  readonly warnings?: readonly string[]
  /** Where that was said which the request leaves open. */
  readonly saidAt?: readonly string[]
  readonly problem?: string
  readonly code?: ErrorCode
}

/** The model that the first of them says, and what all others say. */
export async function explainModel(environment: Environment, beginning: Beginning): Promise<ExplainedModel> {
  const { executor } = beginning.agent
  const sayings = modelSayings(beginning)
  const claims: ModelClaim[] = []
  for (const saying of executor === undefined ? sayings : sayings.filter(isHeard))
    claims.push({
      source: saying.source,
      requested: saying.choice ?? null,
      ...(await settledOrNot(environment, beginning, saying)),
    })
  const [first = nobodys, ...over] = claims
  if (executor !== undefined) return { ...first, executor, over }
  const [use] = first.uses ?? []
  const opened = use && (await attempted(() => environment.models.open(use))).value
  return { ...first, ...(opened && { sees: opened.sees ?? [] }), over }
}

/** A program hears of nothing but what is said of its own agent. */
const isHeard = ({ source }: ModelSaying): boolean => source === "call" || source === "definition"

const nobodys: ModelClaim = { source: "default", requested: null }

async function settledOrNot(environment: Environment, beginning: Beginning, saying: ModelSaying) {
  if (kindOf(beginning.agent) === "command") return {}
  try {
    return await settleSaying(environment, withoutParentOf(beginning, saying), saying)
  } catch (error) {
    if (!(error instanceof CadreError)) throw error
    return { problem: error.message, code: error.code }
  }
}

/** What keeps the model from being asked, as far as that can be told without asking it. */
export const modelProblems = async (
  environment: Environment,
  beginning: Beginning,
): Promise<readonly StartProblem[]> => [
  ...failures(() => checkOverride(environment, beginning)),
  ...(await attempted(() => settleChosen(environment, beginning, {}))).problems,
]

/** What the default would come to, if it had its turn: then there would be nobody to inherit from. */
function withoutParentOf(beginning: Beginning, { source, choice }: ModelSaying): Beginning {
  if (source !== "default" || choice === null) return beginning
  const { parent: _, ...root } = beginning
  return root
}

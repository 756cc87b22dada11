import type { Worktree } from "../../agent/isolation.ts"
import type { Model, ModelSource } from "../../agent/model.ts"
import { hash } from "../../ground/crypto.ts"
import type { RunEvent } from "../log/event.ts"
import type { Beginning } from "../ports/beginning.ts"
import type { Environment } from "../ports/environment.ts"
import type { Definition } from "../ports/pinned.ts"
import type { ToolSource } from "../ports/tool-source.ts"
import { begin } from "./begin.ts"

/** The first event and the definition that a run would begin with. */
export interface Rehearsal {
  readonly first: Extract<RunEvent, { readonly type: "run-start" }>
  readonly definition: Definition
}

/** Begins a run in an environment that stores nothing. Throws whenever `begin` would. */
export async function rehearse(environment: Environment, beginning: Beginning): Promise<Rehearsal> {
  const definitions: Environment["definitions"] = new Map()
  const store = { putBlob: async (_: string, content: string) => hash("sha256", content) }
  const first = await begin({ ...environment, store, definitions, resolved: new WeakMap() }, beginning)
  if (first.type !== "run-start") throw new TypeError("a run begins with run-start")
  return { first, definition: definitions.get(first.definition)! }
}

/** An environment that predicts models and worktrees without loading a package or running a program. */
export const foreseeOnly = (environment: Environment): Environment => {
  const { models, isolation, toolSource } = environment
  return {
    ...environment,
    ...(toolSource && { toolSource: withAcceptedTools(toolSource) }),
    models: withOpener(models, async (use) => ({
      ...(models.foresee ? await models.foresee(use) : { id: "name" in use ? use.name : use.model }),
      stream: refuseToStream,
    })),
    ...(isolation?.foresee && {
      isolation: {
        plan: isolation.foresee.bind(isolation),
        open: isolation.open.bind(isolation),
        close: isolation.close.bind(isolation),
      },
    }),
  }
}

/** The same source of tools, which takes the tools that the user accepted for all that there may be. */
const withAcceptedTools = (source: ToolSource): ToolSource => ({
  get tools() {
    return source.tools
  },
  isNeeded: (agent, others) => source.isNeeded(agent, others),
  mayHave: (name, agent) => source.mayHave(name, agent) && source.wasListed(name, agent) !== "no",
  knows: (name, agent) => source.knows(name, agent),
  wasListed: (name, agent) => source.wasListed(name, agent),
  whyNot: (name, agent) => source.whyNot(name, agent),
  refusal: (names, agent) => source.refusal(names, agent),
  problemsOf: (agent) => source.problemsOf(agent),
  digestOf: (name) => source.digestOf(name),
  find: (requests, agents, place) => source.find(requests, agents, place),
  idlePatterns: (agent) => source.idlePatterns(agent),
  warnings: (agent) => source.warnings(agent),
  words: (tools) => source.words(tools),
  release: (tree, why) => source.release(tree, why),
  close: () => source.close(),
})

/** A predicting environment in which no key, package or repository is missing. */
export const assumePresent = (environment: Environment): Environment => {
  const { models, isolation } = environment
  const assumed = models.assumingKeys?.()
  return foreseeOnly({
    ...environment,
    ...(assumed && { models: { ...withOpener(models, models.open), ...assumed } }),
    ...(isolation && {
      isolation: {
        plan: isolation.plan.bind(isolation),
        foresee: async (run, cwd) => ({ worktree: anywhere(run, cwd), cwd, warnings: [] }),
        open: isolation.open.bind(isolation),
        close: isolation.close.bind(isolation),
      },
    }),
  })
}

const anywhere = (run: string, cwd: string): Worktree => ({
  type: "worktree",
  path: cwd,
  branch: run,
  base: "",
  from: cwd,
  repository: cwd,
})

/** A source of models that resolves names like another source, and opens models with `open`. */
export const withOpener = (models: ModelSource, open: ModelSource["open"]): ModelSource => ({
  resolve: (request) => models.resolve(request),
  open,
  register: (model) => models.register(model),
  keepsSecrets: () => models.keepsSecrets(),
  redact: (text) => models.redact(text),
})

export const refuseToStream: Model["stream"] = () =>
  Promise.reject(new TypeError("nothing is asked before a run has begun"))

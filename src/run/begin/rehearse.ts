import type { Worktree } from "../../agent/isolation.ts"
import type { Model, ModelSource } from "../../agent/model.ts"
import { hash } from "../../ground/crypto.ts"
import type { RunEvent } from "../log/event.ts"
import type { Beginning } from "../ports/beginning.ts"
import type { Environment } from "../ports/environment.ts"
import type { Definition } from "../ports/pinned.ts"
import { begin } from "./begin.ts"

/** How a run would begin. */
export interface Rehearsed {
  readonly first: Extract<RunEvent, { readonly type: "run-start" }>
  readonly definition: Definition
}

/** Begins a run in an environment that keeps nothing. Throws as beginning it would. */
export async function rehearse(environment: Environment, beginning: Beginning): Promise<Rehearsed> {
  const definitions: Environment["definitions"] = new Map()
  const store = { putBlob: async (_: string, content: string) => hash("sha256", content) }
  const first = await begin({ ...environment, store, definitions, resolved: new WeakMap() }, beginning)
  if (first.type !== "run-start") throw new TypeError("a run begins with run-start")
  return { first, definition: definitions.get(first.definition)! }
}

/** The same, with whatever would run a program or a package as far as that can be told without. */
export const foreseeing = (environment: Environment): Environment => {
  const { models, isolation } = environment
  return {
    ...environment,
    models: openedBy(models, async (use) => ({
      ...(models.foresee ? await models.foresee(use) : { id: "name" in use ? use.name : use.model }),
      stream: neverAsked,
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

/** The same where nothing is missing that only a start can find: keys, packages, a repository. */
export const assuming = (environment: Environment): Environment => {
  const { models, isolation } = environment
  const assumed = models.assumingKeys?.()
  return foreseeing({
    ...environment,
    ...(assumed && { models: { ...openedBy(models, models.open), ...assumed } }),
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

/** A source of models that are opened otherwise. */
export const openedBy = (models: ModelSource, open: ModelSource["open"]): ModelSource => ({
  settle: (wanted) => models.settle(wanted),
  open,
  register: (model) => models.register(model),
  keepsSecrets: () => models.keepsSecrets(),
  redact: (text) => models.redact(text),
})

export const neverAsked: Model["stream"] = () =>
  Promise.reject(new TypeError("nothing is asked before a run has begun"))

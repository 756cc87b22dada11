import type { Agent } from "../../agent/agent.ts"
import { describeProblem, type PlacedProblem } from "../../ground/diagnostics/problem.ts"
import { StartError, type StartProblem } from "../../ground/errors.ts"
import type { Json } from "../../ground/message.ts"
import type { Hook, HookSource, WrittenHook } from "../../run/ports/hook.ts"
import { compileHook } from "./compile.ts"
import type { HookFinding } from "./finding.ts"
import type { HookSet } from "./hook-set.ts"
import { type ParsedHooks, readHooks } from "./read-hooks.ts"
import { readSet } from "./read-set.ts"
import { listAgentSets } from "./sets.ts"
import { toWrittenHook } from "./written-hook.ts"

/** The hooks of an agent's runs: the user's, then the project's or the set that the agent picks, then the agent's own. */
export function createHookSource(sets: readonly HookSet[], check: CheckOwn = () => []): HookSource {
  const hooksByAgent = new WeakMap<Agent, readonly Hook[]>()
  const ofSet = new Map<HookSet, readonly Hook[]>()
  const compiled = (set: HookSet) => {
    const hooks = ofSet.get(set) ?? hooksIn(readSet(set), set.name, placeIn(set))
    ofSet.set(set, hooks)
    return hooks
  }
  return {
    hooksOf(agent) {
      const before = hooksByAgent.get(agent)
      if (before) return before
      const { hooks: own } = agent
      const hooks = withOwnNames(
        together([
          () => listAgentSets(agent, sets).flatMap(compiled),
          () => (own === undefined ? [] : ownHooks(agent, own, check)),
        ]),
      )
      hooksByAgent.set(agent, hooks)
      return hooks
    },
  }
}

/** Finds the errors in an agent's own hooks that keep it from starting. */
export type CheckOwn = (agent: Agent, hooks: Json) => readonly HookFinding[]

/** The hooks of a definition. They are checked here, not with the files of hooks, and an error keeps the agent from starting. */
function ownHooks(agent: Agent, own: Json, check: CheckOwn): readonly Hook[] {
  const of = `agent ${agent.name}`
  const hooks = hooksIn(readHooks(own, of, "definition"), of, placeOf(agent))
  const errors = check(agent, own)
  if (errors.length === 0) return hooks
  throw new StartError(
    errors.map((error) => ({ ...problemIn(error, placeOf(agent)(error.path)), rule: error.code })),
  )
}

/** Returns all hooks, or throws all problems together. */
function together(works: readonly (() => readonly Hook[])[]): readonly Hook[] {
  const hooks: Hook[] = []
  const errors: StartError[] = []
  for (const work of works)
    try {
      hooks.push(...work())
    } catch (error) {
      if (!(error instanceof StartError)) throw error
      errors.push(error)
    }
  if (errors.length === 0) return hooks
  throw new StartError(
    errors.flatMap(({ problems }) => problems),
    { message: errors.map(({ message }) => message).join("\n") },
  )
}

/** Gives a second hook of the same name another name, because runs identify hooks by name. */
function withOwnNames(hooks: readonly Hook[]): readonly Hook[] {
  const usedNames = new Set<string>()
  return hooks.map((hook) => {
    let { name } = hook
    for (let count = 2; usedNames.has(name); count++) name = `${hook.name} (${count})`
    usedNames.add(name)
    return name === hook.name ? hook : { ...hook, name }
  })
}

type Where = (path: WrittenHook["path"]) => Pick<WrittenHook, "of" | "set" | "file" | "path">

const placeIn =
  ({ of, name, file, keysOf = (path) => path }: HookSet): Where =>
  (path) => ({ of, set: name, ...(file !== undefined && { file }), path: keysOf(path) })

const placeOf =
  ({ origin: { file } }: Agent): Where =>
  (path) => ({ of: "definition", ...(file !== undefined && { file }), path })

/** Compiles hooks. An invalid hook might have forbidden something, so nothing runs without it. */
function hooksIn({ hooks, problems }: ParsedHooks, of: string, where: Where): readonly Hook[] {
  if (problems.length > 0)
    throw new StartError(
      problems.map((problem) => problemIn(problem, where(problem.path))),
      {
        message: `The hooks of ${of} are invalid, so no agent runs under them: ${problems.map((problem) => describeProblem(problem, "hooks")).join("; ")}`,
      },
    )
  return hooks.map((hook) => ({ ...compileHook(hook), written: toWrittenHook(hook, where(hook.path)) }))
}

/** A problem in the same words as the finding of `cadre check`. */
const problemIn = (
  { message, offset, about, path }: PlacedProblem,
  { of, file, path: keys }: ReturnType<Where>,
): StartProblem => ({
  code: "HOOK_INVALID",
  kind: "written",
  rule: "hook-invalid",
  ...(of === "definition" ? { part: "hooks", path } : { ...(file !== undefined && { file }), path: keys }),
  ...(about && { about }),
  ...(offset !== undefined && { offset }),
  message,
})

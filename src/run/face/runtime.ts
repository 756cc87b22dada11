import type { Agent, TypedAgent } from "../../agent/agent.ts"
import type { GivenModel, ModelSource } from "../../agent/model.ts"
import { type Route, type RouteRequest, route } from "../../agent/routing/route.ts"
import { CadreError, StartError, type StartProblem } from "../../ground/errors.ts"
import type { Json } from "../../ground/message.ts"
import { requireKnownOptions } from "../../ground/options.ts"
import { throwTold } from "../../ground/out-of-files.ts"
import { fold } from "../begin/load.ts"
import { requireTask } from "../begin/require-task.ts"
import { failures, subagentsDisabled } from "../begin/start-problem.ts"
import type { StartProblemOptions } from "../begin/start-problems.ts"
import { hasEnded, hasNoReader, notOpen } from "../drive/letter.ts"
import type { OwnOptions } from "../drive/owners.ts"
import { type Approval, openApprovals, type RunResult, resultOf } from "../drive/proof.ts"
import { containStrays } from "../drive/strays.ts"
import { isFollowed, Successors } from "../drive/successors.ts"
import type { DryRun } from "../explain/dry-run.ts"
import type { ExplainOptions, Explanation } from "../explain/explain.ts"
import type { Preview } from "../explain/preview.ts"
import { Bus } from "../log/bus.ts"
import { now } from "../log/clock.ts"
import { damageOf } from "../log/damage.ts"
import { whileHeld } from "../log/dedupe.ts"
import type { RunEvent } from "../log/event.ts"
import { createRunId, isRunId, rootOf } from "../log/id.ts"
import type { LetterBody } from "../log/letter-body.ts"
import type { RunHead, RunQuery } from "../log/store.ts"
import { upcast } from "../log/upcast.ts"
import type { Beginning } from "../ports/beginning.ts"
import type { RunState } from "../state/state.ts"
import type { Engine } from "./engine.ts"
import { createHandle, type RunHandle } from "./handle.ts"
import {
  type DryRunOptions,
  dryRunOptions,
  explainOptions,
  type ResumeOptions,
  type RunOptions,
  resumeOptions,
  runOptions,
  type SendOptions,
  sendOptions,
  startProblemOptions,
} from "./run-options.ts"
import { requireQuery } from "./run-query.ts"
import { environmentOf, type RuntimeParts } from "./runtime-parts.ts"
import { wayTo } from "./way.ts"

export type { DryRunOptions, RunOptions } from "./run-options.ts"

export type { RuntimeParts } from "./runtime-parts.ts"

/** `recorded`: it is in the log. `delivered`: a live owner elsewhere has it. `waiting`: nobody drives the run; resume it. */
export type Delivery = "recorded" | "delivered" | "waiting"

export interface Runtime {
  /** Who would take a request, and why: the agent it names, or, with `autoRoute`, the one whose words it holds. */
  route(request: string | RouteRequest): Route
  run<Value = Json>(agent: string | TypedAgent<Value>, task: string, options?: RunOptions): RunHandle<Value>
  /** What a run that is started now would have, who says so, and whom that overrules. Starts nothing, asks nobody. */
  explain(agent: string | Agent, options?: ExplainOptions): Promise<Explanation>
  /** The same of a run with this task, with all that would keep it from starting and what it would begin with. */
  dryRun(agent: string | Agent, task: string, options?: DryRunOptions): Promise<DryRun>
  /**
   * Everything that would keep an agent from starting, whatever its task, each with its place. `present`: where no key,
   * program or repository is missing, so that only what is written is left.
   */
  startProblems(agent: string | Agent, options?: StartProblemOptions): Promise<readonly StartProblem[]>
  /** What the first request of such a run would hold. Nothing is asked, run or kept. */
  preview(agent: string | Agent, task: string, options?: RunOptions): Promise<Preview>
  /** Picks a tree up where its log ends. `force` takes it from an owner that cannot be told dead. */
  resume(run: string, options?: ResumeOptions): RunHandle
  approve(run: string, call: string, decision: "allow" | "deny", note?: string): Promise<Delivery>
  /** A message for the run's next turn. */
  send(run: string, text: string, options?: SendOptions): Promise<Delivery>
  cancel(run: string, reason?: string): Promise<Delivery>
  /** How a run stands, from its log alone. */
  read(run: string): Promise<RunResult>
  /** Root runs, the newest first, as far as a query asks for them; with `root`, every run of that tree. */
  list(query?: RunQuery): AsyncIterable<RunHead>
  /** The events of a tree, recorded ones first, from whatever process drives it. */
  follow(root: string, signal: AbortSignal): AsyncIterable<RunEvent>
  close(): Promise<void>
}

export function openRuntime(parts: RuntimeParts): Runtime {
  const { store } = parts
  const bus = new Bus()
  const environment = environmentOf(parts, bus)
  const stopListening = parts.strays === "contain" ? containStrays() : undefined

  const succession = new Successors()

  let loading: Promise<Engine> | undefined
  /** Loaded with the first run: whoever only defines agents, or reads of runs, does without. */
  const engine = (): Promise<Engine> => {
    loading ??= import("./engine.ts").then(
      ({ openEngine }) => openEngine(environment),
      (error) => {
        // Its file may be there again for the next run, such as after an update of the package.
        loading = undefined
        throw error
      },
    )
    return loading
  }
  /** What this process owns: nothing where nothing was driven yet, or could be. */
  const owned = async () => (await loading?.catch(() => undefined))?.owners

  /** Drives a run until its tree is given up, and so whoever has its task after it; then tells how that stands. */
  async function finish(run: string, options: OwnOptions, orphans: "leave" | "cancel"): Promise<RunResult> {
    const { owners, succeed } = await engine()
    const tree = await owners.drive(run, options)
    if (orphans === "cancel") await owners.cancelOrphans(tree)
    await tree.closed.finally(() => parts.toolSource?.release(rootOf(run)))
    const state = tree.state?.run === run ? tree.state : await stateOf(run)
    const next = succession.isStopped(run) ? undefined : await succeed(state)
    if (next === undefined) return resultOf(state, state.end ? [] : await approvalsBelow(run))
    succession.add(run, next)
    if (succession.isStopped(run)) await runtime.cancel(next)
    return finish(next, { ...options, maxConcurrency: state.start!.limits.maxConcurrency }, "cancel")
  }

  async function stateOf(run: string): Promise<RunState> {
    requireRunId(run)
    const folded = await fold(store, run)
    if (!folded?.state.start) throw new CadreError("RUN_UNKNOWN", `No run ${run} in this store.`)
    return folded.state
  }

  async function requireStillThere(continued: string, run: string): Promise<void> {
    for await (const _ of store.read(continued)) return
    await store.remove(run)
    throw new CadreError("RUN_UNKNOWN", `No run ${continued} in this store: it has just been removed.`)
  }

  async function approvalsBelow(run: string): Promise<readonly Approval[]> {
    const approvals: Approval[] = []
    for await (const head of store.list({ root: rootOf(run) }))
      if (head.status === "open" && (head.run === run || head.run.startsWith(`${run}.`))) {
        const open = openApprovals(await stateOf(head.run))
        const way = open.length > 0 ? await wayTo(store, head.run) : []
        approvals.push(...open.map((approval) => ({ ...approval, way })))
      }
    return approvals
  }

  function handleFor(
    id: string,
    work: Promise<RunResult>,
    signal: AbortSignal | undefined,
    exists: Promise<unknown> = Promise.resolve(),
  ): RunHandle {
    const cancel = async (reason?: string) => {
      // A run that could not even be created needs no cancelling: `done` tells why.
      const failed = work.then(
        () => "ended" as const,
        () => "failed" as const,
      )
      if ((await Promise.race([exists, failed])) === "failed") return
      await runtime.cancel(succession.stop(id), reason)
    }
    const onAbort = () => void cancel("its signal was aborted").catch(() => {})
    signal?.addEventListener("abort", onAbort, { once: true })
    const done = work.catch(throwTold).finally(() => {
      signal?.removeEventListener("abort", onAbort)
      succession.forget(id)
    })
    return createHandle({ id, store, bus, done, cancel })
  }

  async function deliver(run: string, key: string, body: LetterBody): Promise<Delivery> {
    const letter = { run, key, at: now(), body }
    const tree = await (await owned())?.find(run)
    if (!tree?.covers(run)) return store.send(letter)
    await new Promise<void>((resolve, reject) => {
      tree.deliver({ letter, done: (problem) => (problem ? reject(problem) : resolve()), failed: reject })
    })
    return "recorded"
  }

  const found = (named: string | Agent) => (typeof named === "string" ? environment.agents.get(named) : named)

  function requireEnabled(): void {
    if (parts.enabled !== false) return
    const place = environment.settingPlace?.(subagentsDisabled)
    throw new StartError([place ? { ...subagentsDisabled, place } : subagentsDisabled])
  }

  function beginningOf(run: string, agent: Agent, task: string, options: RunOptions): Beginning {
    const { signal: _, timeout, limits, model, ...rest } = options
    return {
      ...rest,
      ...calledModel(parts.models, model),
      run,
      agent,
      task,
      limits: { ...limits, ...(timeout !== undefined && { timeout }) },
    }
  }

  const runtime: Runtime = {
    route: (request) =>
      route(environment.agents.all(), typeof request === "string" ? { text: request } : request, {
        autoRoute: parts.autoRoute ? "on" : "off",
      }),

    run<Value>(named: string | Agent, task: string, options: RunOptions = {}) {
      const id = createRunId(now())
      let created!: () => void
      const exists = new Promise<void>((resolve) => {
        created = resolve
      })
      const work = (async () => {
        requireKnownOptions("run", options, runOptions)
        requireEnabled()
        const agent = found(named)
        requireTask(agent, task)
        const beginning = beginningOf(id, agent, task, options)
        const { begin, continuing, endedRun, findTools } = await engine()
        await findTools(agent, { tree: id, cwd: options.cwd ?? process.cwd() })
        const { continues } = beginning
        const warnings = continues === undefined ? [] : await continuing(await stateOf(continues), agent)
        const { name } = agent
        const first = await whileHeld(store, { run: id, agent: name, dedupe: options.dedupe }, async () => {
          const ended = continues === undefined ? {} : { ended: await endedRun(continues) }
          const first = await begin({ ...beginning, ...ended, warnings }).catch(async (error) => {
            const { refusal } = await import("../begin/start-problems.ts")
            throw await refusal(environment, { ...beginning, ...ended }, error)
          })
          await store.create(first)
          // It may have been removed after it was read. Whoever removes runs looks for new ones that need them.
          if (continues !== undefined) await requireStillThere(continues, id)
          return first
        })
        if (first.type !== "run-start") throw new TypeError("a run begins with run-start")
        environment.created.set(id, first)
        environment.emit(first)
        created()
        const result = finish(id, { maxConcurrency: first.limits.maxConcurrency }, "leave")
        if (options.signal?.aborted) await runtime.cancel(id, "its signal was aborted")
        return result
      })()
      // What could not begin needs nothing more, either.
      work.catch(() => parts.toolSource?.release(id)).catch(() => {})
      // What was handed in fits the schema, which is where the type comes from.
      return handleFor(id, work, options.signal, exists) as RunHandle<Value>
    },

    async explain(named, options = {}) {
      requireKnownOptions("explain", options, explainOptions)
      const { parents = [], model, ...rest } = options
      const [{ explain }, { suppose }] = await Promise.all([
        import("../explain/explain.ts"),
        import("../explain/suppose.ts"),
      ])
      const said = { ...rest, ...calledModel(environment.models, model) }
      const supposed = await suppose(environment, found(named), parents.map(found), said)
      return explain(environment, supposed, failures(requireEnabled))
    },

    async dryRun(named, task, given = {}) {
      requireKnownOptions("dryRun", given, dryRunOptions)
      const { parents = [], ...options } = given
      const [{ dryRun }, { suppose }] = await Promise.all([
        import("../explain/dry-run.ts"),
        import("../explain/suppose.ts"),
      ])
      const said = beginningOf("ID", found(named), task, options)
      const supposed = await suppose(environment, found(named), parents.map(found), said)
      const before = [...failures(requireEnabled), ...failures(() => requireTask(found(named), task))]
      return dryRun(environment, supposed, { before, stateOf })
    },

    async startProblems(named, options = {}) {
      requireKnownOptions("startProblems", options, startProblemOptions)
      const { agentProblems } = await import("../begin/start-problems.ts")
      return [...failures(requireEnabled), ...(await agentProblems(environment, found(named), options))]
    },

    async preview(named, task, options = {}) {
      requireKnownOptions("preview", options, runOptions)
      requireTask(found(named), task)
      const beginning = beginningOf(createRunId(now()), found(named), task, options)
      return (await engine()).preview(beginning)
    },

    resume(run, given = {}) {
      const { signal, ...options } = given
      const root = rootOf(run)
      const work = (async () => {
        requireKnownOptions("resume", given, resumeOptions)
        requireRunId(run)
        // A damaged log can be read when it is mended, which the claim does.
        if (options.repair && (await damageOf(store, root))) return finish(root, options, "cancel")
        const state = await stateOf(root)
        if (state.end && state.children.length === 0 && !isFollowed(state)) return resultOf(state, [])
        if (signal?.aborted) {
          await runtime.cancel(root, "its signal was aborted")
          return runtime.read(root)
        }
        await (await engine()).findToolsOf(state)
        return finish(root, { ...options, maxConcurrency: state.start!.limits.maxConcurrency }, "cancel")
      })()
      return handleFor(root, work, signal)
    },

    async approve(run, call, decision, note) {
      const state = await stateOf(run)
      if (!openApprovals(state).some((approval) => approval.call === call)) throw notOpen(state, call)
      return deliver(run, `${run}:approval:${call}:${decision}`, {
        type: "approval",
        call,
        decision,
        ...(note !== undefined && { note }),
      })
    },

    async send(run, text, options = {}) {
      requireKnownOptions("send", options, sendOptions)
      const { from = "user", key = createRunId(now()) } = options
      requireText("A message", text)
      const before = await stateOf(run)
      if (before.end) throw hasEnded({ run })
      if (before.start!.kind !== "agent") throw hasNoReader(before)
      const delivery = await deliver(run, `message:${key}`, { type: "message", from, text })
      if (delivery !== "waiting") return delivery
      // Nobody is there to tell: the run may have ended while the letter was on its way, with it or without it.
      const keys = new Set<string>()
      const { state } = (await fold(store, run, keys))!
      if (!state.end) return delivery
      if (keys.has(`message:${key}`) && !state.inbox.some((note) => note.key === `message:${key}`))
        return "recorded"
      throw hasEnded({ run })
    },

    async cancel(run, reason = "it was asked to stop") {
      const state = await stateOf(run)
      if (state.end) return "recorded"
      const delivery = await deliver(run, `${run}:cancel`, { type: "cancel", reason })
      if (delivery !== "waiting" || run !== rootOf(run)) return delivery
      // Nobody drives it: end it here, so that it is not merely going to be cancelled some day.
      try {
        await finish(run, {}, "cancel")
        return "recorded"
      } catch (error) {
        // Whoever took it up in the meantime finds the letter.
        if (error instanceof CadreError && error.code === "RUN_OWNED") return "delivered"
        throw error
      }
    },

    async read(run) {
      const state = await stateOf(run)
      return resultOf(state, state.end ? [] : await approvalsBelow(run))
    },

    list(query = {}) {
      requireQuery(query)
      return store.list(query)
    },

    async *follow(root, signal) {
      for await (const stored of store.follow(root, {}, signal)) {
        const event = upcast(stored)
        if (event) yield event
      }
    },

    async close() {
      const closed = new CadreError(
        "STORE_FAILED",
        "The runtime was closed while this run was at work. Resume it with another one.",
      )
      await (await owned())?.stop(closed)
      await parts.toolSource?.close()
      await store.close()
      stopListening?.()
    },
  }
  return runtime
}

/** What a call chose, by a name that it can be opened by. */
const calledModel = (models: ModelSource, model: GivenModel | undefined): Pick<Beginning, "model"> => {
  if (model === undefined) return {}
  return { model: typeof model === "string" || model === null ? model : models.register(model) }
}

/** Providers refuse an empty message, and a run would carry it for ever. */
function requireText(what: string, text: string): void {
  if (text.trim() === "")
    throw new CadreError("TEXT_EMPTY", `${what} must have some text: there is nothing to do otherwise.`)
}

function requireRunId(text: string): void {
  if (!isRunId(text))
    throw new CadreError("RUN_UNKNOWN", `${JSON.stringify(text.slice(0, 100))} is not a run id.`)
}

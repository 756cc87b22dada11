import type { Agent, TypedAgent } from "../../agent/agent.ts"
import type { QuestionAnswer } from "../../agent/question.ts"
import { type RouteRequest, type RouteResult, route } from "../../agent/routing/route.ts"
import { CadreError, StartError, type StartProblem } from "../../ground/errors.ts"
import type { Json } from "../../ground/message.ts"
import { requireKnownOptions } from "../../ground/options.ts"
import { rethrowClearly } from "../../ground/out-of-files.ts"
import { fold } from "../begin/load.ts"
import { requireTask } from "../begin/require-task.ts"
import { collectProblems, subagentsDisabledProblem } from "../begin/start-problem.ts"
import type { StartProblemOptions } from "../begin/start-problems.ts"
import { createEndedError, createNoReaderError } from "../drive/letter.ts"
import type { OwnOptions } from "../drive/owners.ts"
import { buildRunResult, listOpenApprovals, type PendingApproval, type RunResult } from "../drive/proof.ts"
import { containStrays } from "../drive/strays.ts"
import { needsSuccessor, Successors } from "../drive/successors.ts"
import type { DryRun } from "../explain/dry-run.ts"
import type { AgentExplanation, ExplainOptions } from "../explain/explain.ts"
import type { RunPreview } from "../explain/preview.ts"
import { Bus } from "../log/bus.ts"
import { readClock } from "../log/clock.ts"
import { findDamage } from "../log/damage.ts"
import { withDedupeKey } from "../log/dedupe.ts"
import type { RunEvent } from "../log/event.ts"
import type { LastingApproval } from "../log/event-rights.ts"
import { createRunId, getRootRun } from "../log/id.ts"
import type { LetterBody } from "../log/letter-body.ts"
import type { RunHead, RunQuery } from "../log/store.ts"
import { upcast } from "../log/upcast.ts"
import type { Beginning } from "../ports/beginning.ts"
import type { RunState } from "../state/state.ts"
import { answerLetterOf, writeApprovalLetter } from "./answer-calls.ts"
import { readCalledModel, requireIdOfRun, requireText } from "./call-checks.ts"
import type { Engine } from "./engine.ts"
import { createHandle, type RunHandle } from "./handle.ts"
import { readPathTo } from "./path-to-run.ts"
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
import { buildEnvironment, type RuntimeParts } from "./runtime-parts.ts"

export type { DryRunOptions, RunOptions } from "./run-options.ts"

export type { RuntimeParts } from "./runtime-parts.ts"

/** `recorded`: it is in the log. `delivered`: another live process has it. `waiting`: no process drives the run; resume it. */
export type LetterDelivery = "recorded" | "delivered" | "waiting"

/** Starts, watches, resumes and steers the runs of one store. Close it at the end. */
export interface Runtime {
  /** The agent for a request, and why: the one it names or, with `autoRoute`, the one whose keywords it contains. */
  route(request: string | RouteRequest): RouteResult
  /**
   * Starts a run and returns immediately. A run that cannot start rejects `done` with a StartError or another
   * CadreError.
   */
  run<Value = Json>(agent: string | TypedAgent<Value>, task: string, options?: RunOptions): RunHandle<Value>
  /** The effective model, tools, limits and variables of a run, and where each comes from. Starts nothing and calls no model. */
  explain(agent: string | Agent, options?: ExplainOptions): Promise<AgentExplanation>
  /** Explains a run with this task, and returns its first event or all problems that keep it from starting. */
  dryRun(agent: string | Agent, task: string, options?: DryRunOptions): Promise<DryRun>
  /**
   * All problems that keep an agent from starting with any task, each with its place. `assume: "present"` assumes that no
   * key, program or repository is missing, and only finds problems of the definition.
   */
  startProblems(agent: string | Agent, options?: StartProblemOptions): Promise<readonly StartProblem[]>
  /** The first request that such a run would send. Calls no model, runs no program and stores nothing. */
  preview(agent: string | Agent, task: string, options?: RunOptions): Promise<RunPreview>
  /**
   * Resumes a tree where its log ends. `force` takes over even if the current owner might still be alive. Given the handle
   * of a run, the result keeps the type of its value.
   */
  resume<Value = Json>(run: string | RunHandle<Value>, options?: ResumeOptions): RunHandle<Value>
  /**
   * Answers a call that waits for a person. Throws CALL_UNKNOWN if that call does not wait. With `deny`,
   * the model reads the note as the reason. `lasting` records what the person allows from now on, which `cadre` heeds.
   */
  approve(
    run: string,
    call: string,
    decision: "allow" | "deny",
    note?: string,
    lasting?: LastingApproval,
  ): Promise<LetterDelivery>
  /**
   * Answers the question of a program, such as an MCP server, in the middle of a call. Throws ANSWER_INVALID if the answer
   * does not fit the question, and CALL_UNKNOWN if the call asks none.
   */
  answer(run: string, call: string, answer: QuestionAnswer): Promise<LetterDelivery>
  /** A message for the run's next turn. */
  send(run: string, text: string, options?: SendOptions): Promise<LetterDelivery>
  /**
   * Stops a run and everything below it. A run that no process drives is ended here. An ended run stays as
   * it is.
   */
  cancel(run: string, reason?: string): Promise<LetterDelivery>
  /** The result of a run so far, from its log alone. */
  read(run: string): Promise<RunResult>
  /** The root runs that match a query, the newest first. With `root`, every run of that tree. */
  list(query?: RunQuery): AsyncIterable<RunHead>
  /** The events of a tree, recorded ones first. Another process may drive it. */
  follow(root: string, signal: AbortSignal): AsyncIterable<RunEvent>
  /** Stops all work of this process and closes the store. Open runs can be resumed by another runtime. */
  close(): Promise<void>
}

export function openRuntime(parts: RuntimeParts): Runtime {
  const { store } = parts
  const bus = new Bus()
  const environment = buildEnvironment(parts, bus)
  const stopListening = parts.strays === "contain" ? containStrays() : undefined

  const succession = new Successors()

  let loading: Promise<Engine> | undefined
  /** Loaded with the first run: a program that only defines agents or reads runs does not need it. */
  const engine = (): Promise<Engine> => {
    loading ??= import("./engine.ts").then(
      ({ openEngine }) => openEngine(environment),
      (error) => {
        // The file may be there for the next run, for example after an update of the package.
        loading = undefined
        throw error
      },
    )
    return loading
  }
  /** The trees that this process owns. Undefined if no run was driven yet. */
  const owned = async () => (await loading?.catch(() => undefined))?.owners

  /** Drives a run until its tree is released, then each fallback that gets its task. Returns the result of the last one. */
  async function finish(run: string, options: OwnOptions, orphans: "leave" | "cancel"): Promise<RunResult> {
    const { owners, succeed } = await engine()
    const tree = await owners.drive(run, options)
    const release = succession.releaseOf(run)
    if (release !== undefined) tree.letGo(release)
    else if (orphans === "cancel") await owners.cancelOrphans(tree)
    await tree.closed.finally(() =>
      parts.toolSource?.release(getRootRun(run), tree.state && !tree.state.end ? "rests" : "ended"),
    )
    const state = tree.state?.run === run ? tree.state : await stateOf(run)
    const mayGoOn = !succession.isStopped(run) && succession.releaseOf(run) === undefined
    const next = mayGoOn ? await succeed(state) : undefined
    if (next === undefined) return buildRunResult(state, state.end ? [] : await approvalsBelow(run))
    succession.add(run, next)
    if (succession.isStopped(run)) await runtime.cancel(next)
    return finish(next, { ...options, maxConcurrency: state.start!.limits.maxConcurrency }, "cancel")
  }

  async function stateOf(run: string): Promise<RunState> {
    requireIdOfRun(run)
    const folded = await fold(store, run)
    if (!folded?.state.start) throw new CadreError("RUN_UNKNOWN", `No run ${run} in this store.`)
    return folded.state
  }

  async function requireStillThere(continued: string, run: string): Promise<void> {
    for await (const _ of store.read(continued)) return
    await store.remove(run)
    throw new CadreError("RUN_UNKNOWN", `No run ${continued} in this store: it has just been removed.`)
  }

  async function approvalsBelow(run: string): Promise<readonly PendingApproval[]> {
    const approvals: PendingApproval[] = []
    for await (const head of store.list({ root: getRootRun(run) }))
      if (head.status === "open" && (head.run === run || head.run.startsWith(`${run}.`))) {
        const open = listOpenApprovals(await stateOf(head.run))
        const way = open.length > 0 ? await readPathTo(store, head.run) : []
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
    /** A run that could not be created needs no stopping: `done` rejects with the reason. */
    const isCreated = async () => {
      const failed = work.then(
        () => "ended" as const,
        () => "failed" as const,
      )
      return (await Promise.race([exists, failed])) !== "failed"
    }
    const cancel = async (reason?: string) => {
      if (await isCreated()) await runtime.cancel(succession.stop(id), reason)
    }
    const letGo = async (reason = "it was interrupted") => {
      if (!(await isCreated())) return
      const run = succession.letGo(id, reason)
      await (await owned())?.letGo(run, reason)
    }
    const onAbort = () => void cancel("its signal was aborted").catch(() => {})
    signal?.addEventListener("abort", onAbort, { once: true })
    const done = work.catch(rethrowClearly).finally(() => {
      signal?.removeEventListener("abort", onAbort)
      succession.forget(id)
    })
    return createHandle({ id, store, bus, done, cancel, letGo })
  }

  async function deliver(run: string, key: string, body: LetterBody): Promise<LetterDelivery> {
    const letter = { run, key, at: readClock(), body }
    const tree = await (await owned())?.find(run)
    if (!tree?.covers(run)) return store.send(letter)
    await new Promise<void>((resolve, reject) => {
      tree.deliver({ letter, onDone: (problem) => (problem ? reject(problem) : resolve()), onFailed: reject })
    })
    return "recorded"
  }

  const findAgent = (named: string | Agent) =>
    typeof named === "string" ? environment.agents.get(named) : named

  function requireEnabled(): void {
    if (parts.enabled !== false) return
    const place = environment.settingPlace?.(subagentsDisabledProblem)
    throw new StartError([place ? { ...subagentsDisabledProblem, place } : subagentsDisabledProblem])
  }

  function beginningOf(run: string, agent: Agent, task: string, options: RunOptions): Beginning {
    const { signal: _, timeout, limits, model, ...rest } = options
    return {
      ...rest,
      ...readCalledModel(parts.models, model),
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
      const id = createRunId(readClock())
      let created!: () => void
      const exists = new Promise<void>((resolve) => {
        created = resolve
      })
      const work = (async () => {
        requireKnownOptions("run", options, runOptions)
        requireEnabled()
        const agent = findAgent(named)
        requireTask(agent, task, options.node)
        const beginning = beginningOf(id, agent, task, options)
        const { begin, continuing, endedRun, findTools } = await engine()
        await findTools(agent, { tree: id, cwd: options.cwd ?? process.cwd() })
        const { continues } = beginning
        const warnings = continues === undefined ? [] : await continuing(await stateOf(continues), agent)
        const { name } = agent
        const first = await withDedupeKey(
          store,
          { run: id, agent: name, dedupe: options.dedupe },
          async () => {
            const continuedPart = continues === undefined ? {} : { continuedRun: await endedRun(continues) }
            const first = await begin({ ...beginning, ...continuedPart, warnings }).catch(async (error) => {
              const { refuseStart } = await import("../begin/start-problems.ts")
              throw await refuseStart(environment, { ...beginning, ...continuedPart }, error)
            })
            await store.create(first)
            // The continued run may have been removed since it was read. A removal also looks for new runs that continue it.
            if (continues !== undefined) await requireStillThere(continues, id)
            return first
          },
        )
        if (first.type !== "run-start") throw new TypeError("a run begins with run-start")
        environment.created.set(id, first)
        environment.emit(first)
        created()
        const result = finish(id, { maxConcurrency: first.limits.maxConcurrency }, "leave")
        if (options.signal?.aborted) await runtime.cancel(id, "its signal was aborted")
        return result
      })()
      // A run that could not begin no longer needs its tools.
      work.catch(() => parts.toolSource?.release(id, "ended")).catch(() => {})
      // The submitted value fits the schema, and the type comes from the schema.
      return handleFor(id, work, options.signal, exists) as RunHandle<Value>
    },

    async explain(named, options = {}) {
      requireKnownOptions("explain", options, explainOptions)
      const { parents = [], model, ...rest } = options
      const [{ explain }, { suppose }] = await Promise.all([
        import("../explain/explain.ts"),
        import("../explain/suppose.ts"),
      ])
      const callOptions = { ...rest, ...readCalledModel(environment.models, model) }
      const supposed = await suppose(environment, findAgent(named), parents.map(findAgent), callOptions)
      return explain(environment, supposed, collectProblems(requireEnabled))
    },

    async dryRun(named, task, dryRunInput = {}) {
      requireKnownOptions("dryRun", dryRunInput, dryRunOptions)
      const { parents = [], ...options } = dryRunInput
      const [{ explainDryRun }, { suppose }] = await Promise.all([
        import("../explain/dry-run.ts"),
        import("../explain/suppose.ts"),
      ])
      const callOptions = beginningOf("ID", findAgent(named), task, options)
      const supposed = await suppose(environment, findAgent(named), parents.map(findAgent), callOptions)
      const earlierProblems = [
        ...collectProblems(requireEnabled),
        ...collectProblems(() => requireTask(findAgent(named), task, options.node)),
      ]
      return explainDryRun(environment, supposed, { earlierProblems: earlierProblems, stateOf })
    },

    async startProblems(named, options = {}) {
      requireKnownOptions("startProblems", options, startProblemOptions)
      await environment.scripts?.learn(environment.agents.all())
      const { findAgentProblems } = await import("../begin/start-problems.ts")
      return [
        ...collectProblems(requireEnabled),
        ...(await findAgentProblems(environment, findAgent(named), options)),
      ]
    },

    async preview(named, task, options = {}) {
      requireKnownOptions("preview", options, runOptions)
      requireTask(findAgent(named), task, options.node)
      const beginning = beginningOf(createRunId(readClock()), findAgent(named), task, options)
      return (await engine()).preview(beginning)
    },

    resume<Value>(resumed: string | RunHandle<Value>, resumeInput: ResumeOptions = {}) {
      const run = typeof resumed === "string" ? resumed : resumed.id
      const { signal, ...options } = resumeInput
      const root = getRootRun(run)
      const work = (async () => {
        requireKnownOptions("resume", resumeInput, resumeOptions)
        requireIdOfRun(run)
        // A damaged log can only be read after its repair, which the claim does.
        if (options.repair && (await findDamage(store, root))) return finish(root, options, "cancel")
        const state = await stateOf(root)
        if (state.end && state.children.length === 0 && !needsSuccessor(state))
          return buildRunResult(state, [])
        if (signal?.aborted) {
          await runtime.cancel(root, "its signal was aborted")
          return runtime.read(root)
        }
        await (await engine()).findToolsOf(state)
        return finish(root, { ...options, maxConcurrency: state.start!.limits.maxConcurrency }, "cancel")
      })()
      // The submitted value fits the schema that the run is pinned to.
      return handleFor(root, work, signal) as RunHandle<Value>
    },

    async approve(run, call, decision, note, lasting) {
      const letter = writeApprovalLetter(await stateOf(run), call, decision, { note, lasting })
      return deliver(run, letter.key, letter.body)
    },

    async answer(run, call, answer) {
      const letter = answerLetterOf(await stateOf(run), call, answer)
      return deliver(run, letter.key, letter.body)
    },

    async send(run, text, options = {}) {
      requireKnownOptions("send", options, sendOptions)
      const { from = "user", key = createRunId(readClock()) } = options
      requireText("A message", text)
      const currentState = await stateOf(run)
      if (currentState.end) throw createEndedError({ run })
      if (currentState.start!.kind !== "agent") throw createNoReaderError(currentState)
      const delivery = await deliver(run, `message:${key}`, { type: "message", from, text })
      if (delivery !== "waiting") return delivery
      // No process drives the run. It may have ended while the letter was on its way, with it or without it.
      const keys = new Set<string>()
      const { state } = (await fold(store, run, keys))!
      if (!state.end) return delivery
      if (keys.has(`message:${key}`) && !state.inbox.some((note) => note.key === `message:${key}`))
        return "recorded"
      throw createEndedError({ run })
    },

    async cancel(run, reason = "it was asked to stop") {
      const state = await stateOf(run)
      if (state.end) return "recorded"
      const delivery = await deliver(run, `${run}:cancel`, { type: "cancel", reason })
      if (delivery !== "waiting" || run !== getRootRun(run)) return delivery
      // No process drives the run, so this one ends it now.
      try {
        await finish(run, {}, "cancel")
        return "recorded"
      } catch (error) {
        // The process that took it over in the meantime finds the letter.
        if (error instanceof CadreError && error.code === "RUN_OWNED") return "delivered"
        throw error
      }
    },

    async read(run) {
      const state = await stateOf(run)
      return buildRunResult(state, state.end ? [] : await approvalsBelow(run))
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
        "The runtime was closed while this run was at work. Resume the run with another runtime.",
      )
      await (await owned())?.stop(closed)
      await parts.toolSource?.close()
      await store.close()
      stopListening?.()
    },
  }
  return runtime
}

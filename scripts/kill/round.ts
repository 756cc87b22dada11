import path from "node:path"
import { setTimeout } from "node:timers/promises"
import { createRuntime } from "../../src/assembly/create-runtime.ts"
import { createGenerator } from "../../src/faces/testing/random.ts"
import { CadreError } from "../../src/ground/errors.ts"
import { fold } from "../../src/run/begin/load.ts"
import type { Runtime } from "../../src/run/face/runtime.ts"
import type { Store } from "../../src/run/log/store.ts"
import { jsonlStore } from "../../src/world/stores/jsonl.ts"
import { type Faults, inspectTree, readTree, type SentLetter } from "./check.ts"
import { resultsByCall } from "./compare.ts"
import { Life, leftProcesses, type Order } from "./life.ts"
import { rootIn, Streaks } from "./streaks.ts"
import { type TreeName, trees } from "./trees.ts"

export interface Round {
  readonly faults: Faults
  /** Calls that ended as "unknown". */
  readonly unknown: number
  readonly kills: number
  readonly torn: number
  /** Letters that their sender was not refused. */
  readonly letters: number
}

/** The parts that all rounds share. */
export interface Rounds {
  readonly worker: string
  readonly tree: TreeName
  /** The result of every call in a tree that was not killed. */
  readonly undisturbed: ReadonlyMap<string, string>
}

/** Starts a tree, kills its process again and again, resumes it until it ends, and looks at what is left. */
export async function playRound(
  { worker, tree, undisturbed }: Rounds,
  folder: string,
  seed: number,
): Promise<Round> {
  const random = createGenerator(seed)
  const order = orderIn(folder, tree, seed)
  const store = jsonlStore({ directory: order.directory })
  const runtime = createRuntime({ store })
  const over = new AbortController()
  const letters = Promise.all(
    ["first", "second", "third", "fourth"].map((key) =>
      sendLetter(runtime, { key, after: random() * 2 * trees[tree].life, choice: random() }, over.signal),
    ),
  )
  // It is awaited later, and must not end this process before.
  letters.catch(() => {})
  try {
    const { kills, torn, crashes } = await liveAndDie(worker, order, store, random)
    over.abort()
    const sent = await letters
    const left = await leftProcesses(folder)
    const { faults, unknown } = await inspectTree(store, order, sent, undisturbed)
    return {
      faults: { ...faults, lost: [...crashes, ...left, ...faults.lost] },
      unknown,
      kills,
      torn,
      letters: sent.filter(({ state }) => state === "accepted").length,
    }
  } finally {
    over.abort()
    await runtime.close()
  }
}

/** Lets a tree run to its end once, and tells what its calls came to. */
export async function playUndisturbed(
  worker: string,
  tree: TreeName,
  folder: string,
): Promise<ReadonlyMap<string, string>> {
  const order = orderIn(folder, tree, 0)
  const life = new Life(worker, order)
  const end = await life.exited
  if (end !== "ended") throw new Error(`the undisturbed worker ${end}: ${life.errors}`)
  return resultsByCall(await readTree(jsonlStore({ directory: order.directory })))
}

const orderIn = (folder: string, tree: TreeName, seed: number): Order => ({
  directory: path.join(folder, "runs"),
  ledger: path.join(folder, "ledger"),
  seen: path.join(folder, "seen"),
  tree,
  seed,
  server: path.join(import.meta.dirname, "mcp-server.mjs"),
})

/** One process after the other, until the tree has ended or one of them ends in another way than planned. */
async function liveAndDie(worker: string, order: Order, store: Store, random: () => number) {
  const streaks = new Streaks(store)
  const crashes: string[] = []
  let kills = 0
  let torn = 0
  for (;;) {
    const plan = drawPlan(random, kills, trees[order.tree])
    const root = await rootIn(store)
    if (root !== undefined && (await fold(store, root))?.state.end) break
    const stuck = streaks.stuck()
    const tears = plan.type === "tear" && stuck.length === 0
    const life = new Life(worker, {
      ...order,
      ...(root !== undefined && { root }),
      ...(tears && { tear: plan }),
    })
    await life.ready
    if (!tears && plan.type !== "live") {
      await streaks.moved(stuck, life.over)
      await life.killAfter(plan.type === "tear" ? 0 : plan.after)
    }
    const end = await life.exited
    if (end === "crashed" || end === "hung") crashes.push(`a worker ${end}: ${life.errors}`)
    if (end !== "killed") break
    kills++
    if (tears) torn++
    await streaks.count()
  }
  return { kills, torn, crashes }
}

type Plan =
  | { readonly type: "live" }
  | { readonly type: "timed"; readonly after: number }
  | { readonly type: "tear"; readonly write: number; readonly part: number }

/** Always takes as many numbers, so that the plans depend on the seed and on nothing that happened. */
function drawPlan(random: () => number, kills: number, { life, writes }: (typeof trees)[TreeName]): Plan {
  const [whether, how, when, part] = [random(), random(), random(), random()]
  if (kills > 0 && (whether > 0.85 || kills > 20)) return { type: "live" }
  // A life that picks up where another ended is shorter than the first one.
  const share = kills === 0 ? when : when ** 2
  if (how < 0.3) return { type: "tear", write: 1 + Math.floor(share * writes), part }
  // Claiming and picking up take a small part of a life, and much can go wrong there.
  return { type: "timed", after: how < 0.55 ? when * 40 : share * life }
}

/** Sends the same letter twice to some run of the tree, from this process, whether or not anybody drives the tree. */
async function sendLetter(
  runtime: Runtime,
  { key, after, choice }: { readonly key: string; readonly after: number; readonly choice: number },
  signal: AbortSignal,
): Promise<SentLetter> {
  await setTimeout(after, undefined, { signal }).catch(() => {})
  while (!signal.aborted) {
    const runs: string[] = []
    for await (const { run } of runtime.list())
      for await (const below of runtime.list({ root: run })) runs.push(below.run)
    const run = runs[Math.floor(choice * runs.length)]
    if (run !== undefined) return { run, text: key, state: await sendTwice(runtime, run, key) }
    await setTimeout(5)
  }
  return { state: "not-sent" }
}

async function sendTwice(runtime: Runtime, run: string, key: string): Promise<"accepted" | "refused"> {
  let state: "accepted" | "refused" = "refused"
  for (const _ of ["once", "again"])
    try {
      await runtime.send(run, key, { key })
      state = "accepted"
    } catch (error) {
      if (!(error instanceof CadreError && error.code === "RUN_ENDED")) throw error
    }
  return state
}

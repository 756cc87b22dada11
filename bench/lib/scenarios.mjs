// What is measured of one adapter in one process. Each scenario throws where the adapter did not do the work: where the
// text is wrong, or where the model server saw another number of requests.
import { median } from "./statistics.mjs"

const megabyte = 2 ** 20

export const scenarios = { turns, delegate, fanout, live }

/** One agent that calls a tool in `turns` turns and then answers. */
async function turns(adapter, server, { turns, warm, repetitions, maxMs }) {
  const run = adapter.agent({ turns })
  for (let count = 0; count < warm; count++) check(await run())
  await server.reset()
  const times = await repeat(repetitions, maxMs, async () => check(await run()))
  const { requests, bytesIn } = await server.stats()
  requireRequests(requests, times.length * (turns + 1))
  return {
    msPerTurn: median(times.map(({ wall }) => wall)) / turns,
    cpuPerTurn: median(times.map(({ cpu }) => cpu)) / turns,
    kilobytesPerRun: bytesIn / times.length / 1024,
  }
}

/** A parent that delegates to one child, `count` times one after the other. */
async function delegate(adapter, server, { count, warm }) {
  const run = adapter.delegator({ fan: 1, childTurns: 2 })
  for (let done = 0; done < warm; done++) check(await run())
  await server.reset()
  const { wall, cpu } = await timed(async () => {
    for (let done = 0; done < count; done++) check(await run())
  })
  requireRequests((await server.stats()).requests, count * 5)
  return { msEach: wall / count, cpuEach: cpu / count }
}

/** A parent that calls `count` children in one turn, of which at most `concurrency` run at once. */
async function fanout(adapter, server, { count, concurrency, warm, probe }) {
  const small = adapter.delegator({ fan: Math.min(64, count), childTurns: 2, concurrency })
  for (let done = 0; done < warm; done++) check(await small())
  const run = adapter.delegator({ fan: count, childTurns: 2, concurrency })
  await server.reset()
  const { wall, cpu } = await timed(async () => check(await run()))
  requireRequests((await server.stats()).requests, count * 3 + 2)
  const peakMegabytes = process.resourceUsage().maxRSS / 1024
  // Children whose model takes its time: how many of them are really at work at once.
  await server.reset()
  await adapter.delegator({ fan: probe, childTurns: 0, concurrency, delay: 300 })()
  const { maxOpen } = await server.stats()
  return { wall, cpu, peakMegabytes, maxOpen }
}

/** `count` children that all wait for their models at once: what each takes of memory. */
async function live(adapter, server, { count, delay, maxMs }) {
  const small = adapter.delegator({ fan: 8, childTurns: 2 })
  for (let done = 0; done < 3; done++) check(await small())
  await collect()
  const before = process.memoryUsage()
  await server.reset()
  const started = performance.now()
  let failure
  adapter
    .delegator({ fan: count, childTurns: 0, delay })()
    .catch((error) => {
      failure = error
    })
  let waiting = 0
  while (waiting < count && performance.now() - started < maxMs) {
    await pause(25)
    if (failure) throw failure
    waiting = (await server.stats()).maxOpen
  }
  if (waiting < count) throw new Error(`Of ${count} children only ${waiting} were at work at once.`)
  const msToAllLive = performance.now() - started
  const rss = process.memoryUsage.rss()
  await collect()
  const after = process.memoryUsage()
  const heap = after.heapUsed + after.external - before.heapUsed - before.external
  return {
    msToAllLive,
    rssKilobytesEach: (rss - before.rss) / 1024 / waiting,
    heapKilobytesEach: heap / 1024 / waiting,
    idleMegabytes: before.rss / megabyte,
  }
}

function check(text) {
  if (!/answer is 42/.test(String(text))) throw new Error(`The final text is wrong: ${JSON.stringify(text)}`)
}

function requireRequests(seen, expected) {
  if (seen !== expected) throw new Error(`The model server saw ${seen} requests in place of ${expected}.`)
}

async function repeat(repetitions, maxMs, work) {
  const end = performance.now() + maxMs
  const times = []
  while (times.length < repetitions && (times.length === 0 || performance.now() < end))
    times.push(await timed(work))
  return times
}

/**
 * The collection and what follows it belong to no side: threads of V8 sweep the heap for a while after `gc()` returns,
 * the longer the more runs are kept, and their time counts for the process.
 */
async function timed(work) {
  globalThis.gc()
  await pause(150)
  const cpuBefore = process.cpuUsage()
  const started = performance.now()
  await work()
  const wall = performance.now() - started
  const { user, system } = process.cpuUsage(cpuBefore)
  return { wall, cpu: (user + system) / 1000 }
}

async function collect() {
  globalThis.gc()
  await pause(200)
  globalThis.gc()
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

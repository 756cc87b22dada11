/** Runs a tree with an isolated child, and kills itself where it is told to. */
import type { AgentIsolation } from "../../src/agent/isolation.ts"
import { type Order, openIsolatedTree } from "./isolated-tree.ts"

const order = JSON.parse(process.argv[2]!) as Order

function die(): never {
  process.kill(process.pid, "SIGKILL")
  throw new Error("still alive")
}

const dying = (isolation: AgentIsolation): AgentIsolation => ({
  plan: isolation.plan,
  async open(worktree, cwd) {
    if (order.dies === "before-open") die()
    const answer = await isolation.open(worktree, cwd)
    return order.dies === "after-open" ? die() : answer
  },
  async close(worktree) {
    if (order.dies === "before-close") die()
    const report = await isolation.close(worktree)
    return order.dies === "after-close" ? die() : report
  },
})

const handle = openIsolatedTree(order, dying).run("lead", "go", { cwd: order.top })
for await (const event of handle) if (event.type === "resource-open" && order.dies === "open-recorded") die()

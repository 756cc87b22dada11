/** Runs a pipeline, and kills itself where it is told to. */
import { type Order, openPipeline } from "./pipeline-tree.ts"

const order = JSON.parse(process.argv[2]!) as Order
const { type, nth, after = 0 } = order.dies
const handle = openPipeline(order).run("flow", "go")
let seen = 0
for await (const event of handle)
  if (event.run === handle.id && event.type === type && ++seen === nth)
    setTimeout(() => process.kill(process.pid, "SIGKILL"), after)

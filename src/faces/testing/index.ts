import "../../ground/node-version.ts"

export { type FaultPlan, faultyStore } from "./faulty-store.ts"
export { checkHistory } from "./history.ts"
export { type ModelUnderTest, modelContract } from "./model-contract.ts"
export {
  type Fault,
  type ModelServer,
  type ModelServerOptions,
  type ScriptedAnswer,
  type ServedRequest,
  startModelServer,
} from "./model-server.ts"
export { type StoreUnderTest, storeContract } from "./store-contract.ts"

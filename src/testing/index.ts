import "../node-version.ts"

export { checkHistory } from "./history.ts"

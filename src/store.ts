export type {
  Claim,
  Letter,
  RunHead,
  Store,
  StoreCharge,
  StoredEvent,
  StoreRefusal,
} from "./run/log/store.ts"

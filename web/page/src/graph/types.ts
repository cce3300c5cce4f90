import type { Graph } from "unshade";

export type FlowFunction = Graph["files"][number]["functions"][number];
export type Block = FlowFunction["blocks"][number];

// The workspace, for all components.
import { createContext } from "svelte";
import type { Workspace } from "../model/workspace.svelte";

export const [getWorkspace, setWorkspace] = createContext<Workspace>();

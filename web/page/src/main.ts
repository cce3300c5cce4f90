import { mount } from "svelte";
import App from "./shell/App.svelte";
import { keepOffline } from "./offline";
import "./styles/theme.css";
import "./styles/base.css";

mount(App, { target: document.getElementById("app")! });

keepOffline();

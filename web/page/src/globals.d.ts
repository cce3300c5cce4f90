/** Where the sign of the page is. */
declare const __ICON__: string;

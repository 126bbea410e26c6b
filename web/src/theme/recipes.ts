import { controls, slottedControls } from './controls.ts';
import { display, slottedDisplay } from './display.ts';
import { overlays } from './overlays.ts';

/** The recipes of the Chakra components in use, by Chakra's names. A component without one here has no styles. */
export const recipes = { ...controls, ...display };
export const slotRecipes = { ...slottedControls, ...slottedDisplay, ...overlays };

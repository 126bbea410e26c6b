import { createContext } from 'react';

/**
 * The element beside a form where its preview is rendered. It is outside of the form, so that Enter in its inputs does not
 * submit the form.
 */
export const PreviewPlace = createContext<HTMLElement | null>(null);

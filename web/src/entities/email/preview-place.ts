import { createContext } from 'react';

/** Where the preview of a form is shown beside it: outside of the form, whose Enter key is not for its inputs. */
export const PreviewPlace = createContext<HTMLElement | null>(null);

import type { KeyboardEvent } from 'react';

/** Enter in an input that is no field of the form around it would otherwise send that form. */
export function withoutSubmit(event: KeyboardEvent) {
  if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault();
}

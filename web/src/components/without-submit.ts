import type { KeyboardEvent } from 'react';

/** Prevents that Enter submits the form around an input that is not one of its fields. */
export function withoutSubmit(event: KeyboardEvent) {
  if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault();
}

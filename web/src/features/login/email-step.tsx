import { type SubmitEvent, useRef, useState } from 'react';
import { requestCode } from './request-code.ts';

type Props = { isHydrated: boolean; initial: string; onSent: (email: string) => void };

export function EmailStep({ isHydrated, initial, onSent }: Props) {
  const field = useRef<HTMLInputElement>(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();

  async function submit(event: SubmitEvent) {
    event.preventDefault();
    const email = field.current?.value.trim() ?? '';
    setBusy(true);
    setError(undefined);
    const failure = await requestCode(email);
    setBusy(false);
    if (!failure) return onSent(email);
    setError(failure);
    field.current?.focus();
  }

  return (
    <form onSubmit={submit} aria-busy={busy}>
      <label htmlFor="email">Email</label>
      <input
        ref={field}
        id="email"
        name="email"
        type="email"
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        // biome-ignore lint/a11y/noAutofocus: the page has this one field, and is opened to fill it in
        autoFocus
        required
        defaultValue={initial}
        aria-invalid={error !== undefined}
        aria-describedby="email-error"
      />
      <p id="email-error" className="error" role="alert">
        {error}
      </p>
      <button type="submit" className="primary" disabled={busy || !isHydrated}>
        {busy ? 'Sending...' : 'Send Login Code'}
      </button>
    </form>
  );
}

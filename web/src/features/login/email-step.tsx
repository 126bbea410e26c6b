import { type SubmitEvent, useRef } from 'react';
import { contactLink } from '#web/lib/contact.ts';
import { useAction } from '#web/lib/use-action.ts';
import { requestCode } from './request-code.ts';

type Props = { isHydrated: boolean; initial: string; onSent: (email: string, isMailed: boolean) => void };

export function EmailStep({ isHydrated, initial, onSent }: Props) {
  const field = useRef<HTMLInputElement>(null);
  const { run, isRunning, error } = useAction(async (email: string) =>
    onSent(email, await requestCode(email)),
  );

  async function submit(event: SubmitEvent) {
    event.preventDefault();
    const email = field.current?.value.trim() ?? '';
    if (!(await run(email))) field.current?.focus();
  }

  return (
    <form onSubmit={submit} aria-busy={isRunning}>
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
        {error && <Refusal text={error} />}
      </p>
      <button type="submit" className="primary" disabled={isRunning || !isHydrated}>
        {isRunning ? 'Sending...' : 'Send Login Code'}
      </button>
    </form>
  );
}

const CONTACT = 'Contact us';

/** The refusal. A mention of whom to ask is rendered as a link. */
function Refusal({ text }: { text: string }) {
  const [before = '', ...after] = text.split(CONTACT);
  if (after.length === 0) return text;
  return (
    <>
      {before}
      <a href={contactLink(location.hostname)}>{CONTACT}</a>
      {after.join(CONTACT)}
    </>
  );
}

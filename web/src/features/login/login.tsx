import { useEffect, useState } from 'react';
import { Wordmark } from '#web/components/wordmark.tsx';
import { paths } from '#web/lib/paths.ts';
import { CodeStep } from './code-step.tsx';
import { EmailStep } from './email-step.tsx';

type Props = { onSignedIn: (token: string) => void };

/** Two steps: the email address, then the code, which is sent to it or handed out by the operator. */
export function Login({ onSignedIn }: Props) {
  const [requested, setRequested] = useState<{ email: string; isMailed: boolean }>();
  const [typed, setTyped] = useState('');
  // Before hydration, submitting the form would put the email address into the URL.
  const [isHydrated, setHydrated] = useState(false);
  useEffect(() => setHydrated(true), []);

  return (
    <div className="login">
      <header>
        <a href={paths.home()}>
          <Wordmark />
        </a>
      </header>
      <main>
        <p className="badge">Alpha</p>
        <h1>Sign in to your account</h1>
        <p className="note">Limited access during alpha testing phase</p>
        {requested === undefined ? (
          <EmailStep
            isHydrated={isHydrated}
            initial={typed}
            onSent={(email, isMailed) => {
              setTyped(email);
              setRequested({ email, isMailed });
            }}
          />
        ) : (
          <CodeStep {...requested} onSignedIn={onSignedIn} onOtherEmail={() => setRequested(undefined)} />
        )}
      </main>
      <footer className="foot">
        <a href={paths.terms()} target="_blank" rel="noreferrer">
          Terms and Conditions
        </a>
        <a href={paths.privacy()} target="_blank" rel="noreferrer">
          Privacy Policy
        </a>
      </footer>
    </div>
  );
}

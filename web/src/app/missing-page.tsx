import { ButtonLink } from '../components/button.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { Failure } from '../components/failure.tsx';
import { Page } from '../components/page.tsx';
import type { Missing } from '../entities/use-leave-missing.ts';
import { capitalized } from '../lib/format.ts';
import { isMissing } from '../lib/problem.ts';

type Props = { missing: Missing; message: string; onRetry: () => void };

/** Replaces a page whose subject is missing or could not be loaded. */
export default function MissingPage({ missing: { noun, to, back, problem }, message, onRetry }: Props) {
  const link = back && <ButtonLink to={to}>{back}</ButtonLink>;
  return (
    <Page title={capitalized(noun)}>
      {isMissing(problem) ? (
        <EmptyState title={message} action={link} />
      ) : (
        <Failure problem={problem} message={message} onRetry={onRetry}>
          {link}
        </Failure>
      )}
    </Page>
  );
}

import { VisuallyHidden } from '@chakra-ui/react';
import { type ReactNode, useEffect, useState } from 'react';
import { useWatch } from 'react-hook-form';
import type { Warnings } from '#shared/content-check.ts';
import { isOwnName, variablesOf } from '#shared/email/placeholder.ts';
import { FieldWarnings } from '#web/components/field-warnings.ts';
import { useOrganizationCall } from '#web/lib/data.ts';
import { useDebounced } from '#web/lib/use-debounced.ts';

type Props = {
  route: 'POST /api/email-assets-check' | 'POST /api/email-templates-check';
  /** The fields whose placeholders are checked. */
  texts: readonly string[];
  children: ReactNode;
};

const PAUSE = 500;
const NONE: Warnings = {};

/** The fields of new content. While it is written, each shows the server's warnings about it. */
export function ContentWarnings({ route, texts, children }: Props) {
  const values = useWatch() as Record<string, unknown>;
  const written = texts.flatMap(field => (values[field] ? [[field, String(values[field])] as const] : []));
  const asks = written.some(([, text]) => variablesOf(text).some(({ name }) => !isOwnName(name)));
  const draft = asks
    ? JSON.stringify({ ...Object.fromEntries(written), automation_ids: values.automation_ids ?? [] })
    : '';
  const settled = useDebounced(draft, PAUSE);
  const call = useOrganizationCall();
  const [warnings, setWarnings] = useState(NONE);

  useEffect(() => {
    if (!settled) return setWarnings(NONE);
    const left = new AbortController();
    call(route, { body: JSON.parse(settled), signal: left.signal, isRefusalExpected: true })
      .then(answer => setWarnings(answer.warnings))
      // Creating the content reports the same warnings and errors.
      .catch(() => undefined);
    return () => left.abort();
  }, [call, route, settled]);

  const shown = draft ? warnings : NONE;
  return (
    <FieldWarnings value={shown}>
      {children}
      <VisuallyHidden role="status">{Object.values(shown).flat().join(' ')}</VisuallyHidden>
    </FieldWarnings>
  );
}

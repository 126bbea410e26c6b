import { Box, chakra, Grid, Input } from '@chakra-ui/react';
import { type ComponentProps, use, useDeferredValue, useMemo, useState } from 'react';
import { UNSUBSCRIBE_WORDS } from '../../../../shared/unsubscribe-words.ts';
import { Field } from '../../components/field.tsx';
import { Notice } from '../../components/notice.tsx';
import { EmailViews } from './email-views.tsx';
import { columnsIn, contentOf, type Draft, sampleOf, sampleReader, warningsIn } from './sample-email.ts';

export type PreviewProps = {
  content: Draft;
  language: string;
  /** The columns of metadata that members are known to have. */
  columns?: readonly string[];
  written?: ComponentProps<typeof EmailViews>['written'];
};

const unsubscribeWord = (language: string) =>
  UNSUBSCRIBE_WORDS.find(({ code }) => code === language)?.word ?? 'Unsubscribe';

// Apart, since it is as large as all the rest.
const renderer = import('../../../../shared/email/email.ts');

/** Rendered in the browser by what renders the emails that are sent. */
export default function PreviewContent({ content, language, columns, written }: PreviewProps) {
  const { compose, fill } = use(renderer);
  const draft = useDeferredValue(content);
  const [edited, setEdited] = useState<Record<string, string>>({});
  const asked = columnsIn(draft);
  const warnings = warningsIn(draft, columns);
  const { subject, html, text } = useMemo(() => {
    const email = compose(contentOf(draft), { language, unsubscribeWord: unsubscribeWord(language) });
    const samples = Object.fromEntries(columnsIn(draft).map(name => [name, edited[name] ?? sampleOf(name)]));
    return fill(email, sampleReader(samples, language));
  }, [compose, fill, draft, language, edited]);

  return (
    <>
      <EmailViews html={html} text={text} subject={subject || 'No subject line yet'} written={written} />
      {warnings.length > 0 && (
        <Notice tone="info" mt="3">
          {warnings.map(doubt => (
            <p key={doubt}>{doubt}</p>
          ))}
        </Notice>
      )}
      {asked.length > 0 && (
        <Box as="fieldset" mt="3">
          <Legend>Sample member</Legend>
          <Grid templateColumns="repeat(auto-fill, minmax(min(180px, 100%), 1fr))" columnGap="3">
            {asked.map(name => (
              <Box key={name}>
                <Field label={name}>
                  <Input
                    autoComplete="off"
                    value={edited[name] ?? sampleOf(name)}
                    onChange={({ target }) => setEdited({ ...edited, [name]: target.value })}
                  />
                </Field>
              </Box>
            ))}
          </Grid>
        </Box>
      )}
    </>
  );
}

const Legend = chakra('legend', { base: { mb: '1', fontSize: 'sm', fontWeight: 'semibold' } });

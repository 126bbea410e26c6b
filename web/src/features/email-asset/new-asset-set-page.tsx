import { Text } from '@chakra-ui/react';
import { useSearchParams } from 'react-router';
import { Loading } from '#web/components/loading.tsx';
import { onDemand } from '#web/components/on-demand.tsx';
import { Page } from '#web/components/page.tsx';
import { TextLink } from '#web/components/text-link.tsx';
import { LockedNote } from '#web/entities/email/locked-note.tsx';
import { WithPreview } from '#web/entities/email/with-preview.tsx';
import { FOR_AUTOMATION, newTemplateFor, paths } from '#web/lib/paths.ts';

const NewAssetSetForm = onDemand(
  () => import('./new-asset-set-form.tsx'),
  <WithPreview>
    <Loading shape={['field', 42, 'field', 'field', 'line', 136, 'field', 'field', 'line', 96]} />
  </WithPreview>,
);

/** The form of a whole email, as one asset of each type. */
export function NewAssetSetPage() {
  const [params] = useSearchParams();
  const automation = params.get(FOR_AUTOMATION);
  return (
    <Page title="Create Asset Set">
      <LockedNote kind="asset" isNew />
      <Text maxWidth="65ch" mb="4" fontSize="sm">
        A set is a whole email, with one asset of each type. Further assets are combined with these, so that
        you see which texts do better. For an email that stays as it is,{' '}
        <TextLink to={automation ? newTemplateFor(automation) : paths.newEmailTemplate()}>
          write a template
        </TextLink>
        .
      </Text>
      <NewAssetSetForm automation={automation} />
    </Page>
  );
}

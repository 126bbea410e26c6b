import { Loading } from '../../components/loading.tsx';
import { WithPreview } from '../../entities/email/with-preview.tsx';

const FIELDS = ['field', 'field', 42, 'field', 'field', 'line', 136, 'field', 'field', 'line', 96] as const;

/** In place of the form of a template, while it is loading. */
export const TEMPLATE_FORM = (
  <WithPreview>
    <Loading shape={[...FIELDS]} />
  </WithPreview>
);

/** The same for a new one, which begins with the offer of an example. */
export const NEW_TEMPLATE_FORM = (
  <WithPreview>
    <Loading shape={[32, ...FIELDS]} />
  </WithPreview>
);

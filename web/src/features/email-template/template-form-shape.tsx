import { Loading } from '../../components/loading.tsx';
import { WithPreview } from '../../entities/email/with-preview.tsx';

/** In place of the form of a template, new or not, while it is loading. */
export const TEMPLATE_FORM = (
  <WithPreview>
    <Loading shape={['field', 'field', 42, 'field', 'field', 'line', 136, 'field', 'field', 'line', 96]} />
  </WithPreview>
);

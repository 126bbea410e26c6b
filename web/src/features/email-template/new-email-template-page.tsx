import { useState } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { Notice } from '#web/components/notice.tsx';
import { onDemand } from '#web/components/on-demand.tsx';
import { Page } from '#web/components/page.tsx';
import { LockedNote } from '#web/entities/email/locked-note.tsx';
import { useOrganization } from '#web/lib/organization.ts';
import { FOR_AUTOMATION } from '#web/lib/paths.ts';
import { takeCopy } from './template-copy.ts';
import { NEW_TEMPLATE_FORM } from './template-form-shape.tsx';

const NewTemplateForm = onDemand(() => import('./new-template-form.tsx'), NEW_TEMPLATE_FORM);

/** The page of a new template. If it is a duplicate, the form is filled in. */
export function NewEmailTemplatePage() {
  const { state } = useLocation();
  const [params] = useSearchParams();
  const organization = useOrganization()?.id;
  const [copy] = useState(() => takeCopy(state, organization));
  const [isCopy, setIsCopy] = useState(copy !== undefined);
  return (
    <Page title="Create Email Template">
      <LockedNote kind="template" isNew />
      {isCopy && (
        <Notice tone="info" mb="4">
          This form is filled in with a copy of an existing template. Change what should be different, then
          create it.
        </Notice>
      )}
      <NewTemplateForm
        copy={copy}
        automation={params.get(FOR_AUTOMATION)}
        onContinue={() => setIsCopy(false)}
      />
    </Page>
  );
}

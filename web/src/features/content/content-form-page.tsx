import { Text } from '@chakra-ui/react';
import { useState } from 'react';
import { useLocation, useParams, useSearchParams } from 'react-router';
import type { AutomationOption } from '#shared/automation-link.ts';
import type { ContentVersion } from '#shared/content-version.ts';
import { GhostLink, TextLink } from '#web/components/button.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { Loading } from '#web/components/loading.tsx';
import { Notice } from '#web/components/notice.tsx';
import { onDemand } from '#web/components/on-demand.tsx';
import { Page } from '#web/components/page.tsx';
import {
  assetName,
  EMAIL_ASSET,
  EMAIL_TEMPLATE,
  newerVersion,
  wordingHome,
} from '#web/entities/content/content.ts';
import { useEntity } from '#web/entities/use-entity.ts';
import { useOrganizationData } from '#web/lib/data.ts';
import { AND, plural } from '#web/lib/format.ts';
import { useOrganization } from '#web/lib/organization.ts';
import { ACTIVATES, EMPTY, emptyTemplateFor, FOR_AUTOMATION, newTemplateFor, paths } from '#web/lib/paths.ts';
import { assetCopyIn, takeTemplateCopy } from './duplicate.ts';
import { WithPreview } from './form-preview.tsx';
import { LockedNote } from './locked-note.tsx';

const WHOLE_EMAIL = [136, 'field', 'field', 'line', 96] as const;
const TEMPLATE = ['field', 'field', 'field', 'field', 'line', ...WHOLE_EMAIL] as const;

/** The placeholders for the forms. That of a new template has an example button on top. */
const SHAPES = {
  newTemplate: [32, ...TEMPLATE],
  template: [...TEMPLATE],
  asset: ['field', 'field', 'line', 136, 'line', 'button', 160, 'button'],
  set: ['field', 'field', 'field', 'line', ...WHOLE_EMAIL],
} as const;

const formShape = (kind: keyof typeof SHAPES) => (
  <WithPreview>
    <Loading shape={[...SHAPES[kind]]} />
  </WithPreview>
);

const loadForm = () => import('./content-form.tsx');
const TemplateForm = onDemand(loadForm, formShape('newTemplate'));
const AssetForm = onDemand(loadForm, formShape('asset'));
const AssetSetForm = onDemand(loadForm, formShape('set'));
const WordingForm = onDemand(async () => ({ default: (await loadForm()).WordingForm }), formShape('set'));
const EditTemplateForm = onDemand(() => import('./edit-template-form.tsx'), formShape('template'));

function useForAutomation() {
  const [params] = useSearchParams();
  const automation = params.get(FOR_AUTOMATION);
  return { automation, activates: automation !== null && params.has(ACTIVATES) };
}

const ActivatesNote = () => (
  <Notice tone="info" mb="4">
    The automation is inactive. It is activated once this is created.
  </Notice>
);

/** The first template that an automation sends, which another one is to be a variant of. */
function useVariant({ automation, activates }: ReturnType<typeof useForAutomation>, isWanted: boolean) {
  const isAsked = isWanted && automation !== null && !activates;
  const { data, error } = useOrganizationData(
    isAsked ? 'GET /api/automations/{automation}/content' : undefined,
    { params: { automation: automation ?? '' } },
  );
  const variant = data?.templates.find(({ is_active, texts }) => is_active && texts);
  return { isLoading: isAsked && !data && !error, variant };
}

export function NewEmailTemplatePage() {
  const { state, search } = useLocation();
  const target = useForAutomation();
  const [params] = useSearchParams();
  const organization = useOrganization()?.id;
  const [copy] = useState(() => takeTemplateCopy(state, organization));
  const [isCopy, setIsCopy] = useState(copy !== undefined);
  const [isFirst, setIsFirst] = useState(true);
  const { isLoading, variant } = useVariant(target, !copy && !params.has(EMPTY));
  return (
    <Page title="Create Email Template">
      {target.activates && <ActivatesNote />}
      {isCopy && (
        <Notice tone="info" mb="4">
          This form is filled in with a copy of an existing template. Change what should be different, then
          create it.
        </Notice>
      )}
      {isFirst && variant && (
        <Notice
          tone="info"
          mb="4"
          action={<TextLink to={emptyTemplateFor(target.automation ?? '')}>Begin empty</TextLink>}
        >
          This form is filled in as a variant of {variant.name}. Change what should be different: each person
          gets one of the active templates, chosen at random.
        </Notice>
      )}
      {isLoading ? (
        TemplateForm.fallback
      ) : (
        <TemplateForm
          key={search}
          kind="template"
          copy={copy}
          variant={variant}
          {...target}
          onContinue={() => {
            setIsCopy(false);
            setIsFirst(false);
          }}
        />
      )}
    </Page>
  );
}

export function NewEmailAssetPage() {
  const { state } = useLocation();
  const [copy] = useState(() => assetCopyIn(state));
  const target = useForAutomation();
  // With them, nothing in the form moves.
  const { data, error } = useOrganizationData('GET /api/automations-for-assets');
  return (
    <Page title={copy ? 'Duplicate Email Asset' : 'Create Email Asset'}>
      {data || error ? <AssetForm kind="asset" copy={copy} {...target} /> : AssetForm.fallback}
    </Page>
  );
}

/** The form of a whole email, as one asset of each type. */
export function NewAssetSetPage() {
  const target = useForAutomation();
  const { automation, activates } = target;
  return (
    <Page title="Create asset set">
      {activates && <ActivatesNote />}
      <Text maxWidth="65ch" mb="4" fontSize="sm">
        A set is a whole email, with one asset of each type. Further assets are combined with these, so that
        you see which texts do better. For an email that stays as it is,{' '}
        <TextLink to={automation ? newTemplateFor(automation, activates) : paths.newEmailTemplate()}>
          write a template
        </TextLink>
        .
      </Text>
      <AssetSetForm kind="set" {...target} />
    </Page>
  );
}

/** The form of a template. Only its name, its status and its links can be changed. */
export function EditEmailTemplatePage() {
  const { emailTemplate: id = '' } = useParams();
  const { data } = useEntity(EMAIL_TEMPLATE, id);
  return (
    <Page
      title="Edit Email Template"
      actions={<GhostLink to={paths.emailTemplate(id)}>Back to the template</GhostLink>}
    >
      {!data ? (
        EditTemplateForm.fallback
      ) : data.can_edit ? (
        <>
          {!data.is_owner && (
            <Notice tone="warning" mb="4">
              You can edit this template because you are an admin. Only its owner can transfer ownership or
              delete it.
            </Notice>
          )}
          <LockedNote kind="template" />
          <EditTemplateForm template={data.emailTemplate} />
        </>
      ) : (
        <MayNotEdit />
      )}
    </Page>
  );
}

export function TemplateWordingPage() {
  const { emailTemplate: id = '' } = useParams();
  const { data } = useEntity(EMAIL_TEMPLATE, id);
  const content = data && { ...data.emailTemplate, ...data };
  return <Wording kind="template" name={content?.name} content={content} pathOf={paths.emailTemplate} />;
}

export function AssetWordingPage() {
  const { emailAsset: id = '' } = useParams();
  const { data } = useEntity(EMAIL_ASSET, id);
  const content = data && { ...data.emailAsset, ...data, can_edit: true };
  const name = data && assetName(data.emailAsset);
  return <Wording kind="asset" name={name} content={content} pathOf={paths.emailAsset} />;
}

type WordingProps = {
  kind: 'template' | 'asset';
  name: string | undefined;
  content:
    | {
        id: string;
        version: number;
        versions: ContentVersion[];
        can_edit: boolean;
        automations: AutomationOption[];
      }
    | undefined;
  pathOf: (id: string) => string;
};

/** The form of the next version of content, filled in with the present one. */
function Wording({ kind, name, content, pathOf }: WordingProps) {
  const [params] = useSearchParams();
  if (!content) return <Page title="Edit wording">{WordingForm.fallback}</Page>;
  const { id, version, versions, can_edit, automations } = content;
  const newer = newerVersion(id, versions);
  return (
    <Page title={`Edit wording of ${name}`}>
      {newer && (
        <Notice
          tone="warning"
          mb="4"
          action={<TextLink to={pathOf(newer.id)}>Open version {newer.version}</TextLink>}
        >
          Version {newer.version} has replaced this one.
        </Notice>
      )}
      {!newer && automations.length > 1 && (
        <Notice tone="info" mb="4">
          {plural(automations.length, 'automation')} send this {kind}, and will send the new wording:{' '}
          {AND.format(automations.map(({ name }) => name))}. To change it for one of them alone, duplicate it.
        </Notice>
      )}
      {can_edit ? (
        <WordingForm
          key={id}
          kind={kind}
          id={id}
          version={version}
          values={{ ...content, automation_ids: automations.map(({ id }) => id) }}
          back={wordingHome(params)}
        />
      ) : (
        <MayNotEdit />
      )}
    </Page>
  );
}

const MayNotEdit = () => (
  <EmptyState
    title="You cannot edit this template"
    cause="Only its owner and the admins of the organization can."
  />
);

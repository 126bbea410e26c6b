import { Badge, Box, chakra, Flex, Text } from '@chakra-ui/react';
import { Lock } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import type { AutomationOption } from '#shared/automation-link.ts';
import type { ContentVersion } from '#shared/content-version.ts';
import { PARTS } from '#shared/email/content.ts';
import type { EmailAsset } from '#shared/email-asset.ts';
import type { EmailTemplate, EmailTemplateDetail } from '#shared/email-template.ts';
import { Breakable } from '#web/components/breakable.tsx';
import { Button, TextLink } from '#web/components/button.tsx';
import { Fact, Facts } from '#web/components/facts.tsx';
import { WithHelpTip } from '#web/components/help-tip.tsx';
import { Loading } from '#web/components/loading.tsx';
import { onDemand } from '#web/components/on-demand.tsx';
import { Page } from '#web/components/page.tsx';
import { type PageAction, PageActions } from '#web/components/page-actions.tsx';
import { Section } from '#web/components/section.tsx';
import { ActiveStatus } from '#web/components/status.tsx';
import {
  assetName,
  EMAIL_ASSET,
  EMAIL_TEMPLATE,
  newerVersion,
  RESULT_DURATION,
  wordingPath,
} from '#web/entities/content/content.ts';
import { EmailAndMore } from '#web/entities/email/email-and-more.tsx';
import { PART_TEXTS, partsOf, sampleEmailWith, WrittenParts } from '#web/entities/email/parts.tsx';
import { LastChanges } from '#web/entities/record/last-changes.tsx';
import { ToggleButton, useToggle } from '#web/entities/toggle.tsx';
import { useEntity, useEntityChange } from '#web/entities/use-entity.ts';
import { formatDate, formatMoment } from '#web/lib/format.ts';
import { useMay } from '#web/lib/organization.ts';
import { paths } from '#web/lib/paths.ts';
import { toast } from '#web/lib/toasts.ts';
import { DeleteAsset, DeleteTemplate } from './delete-content.tsx';
import { assetCopy, useTemplateDuplication } from './duplicate.ts';
import type { LinksEditorProps } from './links-editor.tsx';
import { LockedNote } from './locked-note.tsx';

const LinksEditor = onDemand(() => import('./links-editor.tsx'), <Loading shape={[32, 160, 'button']} />);
const PreviewDialog = onDemand(() => import('#web/entities/email/preview-dialog.tsx'));
const TransferOwnershipDialog = onDemand(() => import('./transfer-ownership-dialog.tsx'));
const TemplateNameForm = onDemand(
  () => import('./template-name-form.tsx'),
  <Loading shape={['field', 'button']} />,
);

type Shape = ComponentProps<typeof Loading>['shape'];

const KINDS: Record<'template' | 'asset', { title: string; shape: Shape }> = {
  template: {
    title: 'Email template',
    shape: ['title', 'field', 'button', 'title', 'line', 'line', 'title', 'line'],
  },
  asset: { title: 'Email asset', shape: ['title', 'line', 'line', 'line', 'line', 'title', 'line', 'line'] },
};

const ContentLoading = ({ kind }: { kind: keyof typeof KINDS }) => (
  <Page title={KINDS[kind].title}>
    <LockedNote kind={kind} />
    <EmailAndMore email={undefined}>
      <Loading shape={KINDS[kind].shape} />
    </EmailAndMore>
  </Page>
);

export function EmailTemplatePage() {
  const { emailTemplate: id = '' } = useParams();
  const { data, mutate } = useEntity(EMAIL_TEMPLATE, id);
  if (!data) return <ContentLoading kind="template" />;
  const { emailTemplate: template, automations, is_owner, can_edit } = data;
  const language = template.language_code;
  return (
    <Page title={template.name} actions={can_edit && <TemplateActions {...data} />}>
      <Flex wrap="wrap" align="center" columnGap="3" rowGap="1" mt="-3" mb="4" fontSize="sm" color="fg.muted">
        <ActiveStatus active={template.is_active} />
        {!template.is_editable && (
          <Badge display="inline-flex" alignItems="center" gap="1">
            <Lock aria-hidden size={12} />
            <span>Locked</span>
          </Badge>
        )}
        <Badge>{language.toUpperCase()}</Badge>
        {data.versions.length > 0 && <Badge>Version {template.version}</Badge>}
        <span>Created {formatDate(template.created_at)}</span>
      </Flex>
      <LockedNote kind="template" />
      <EmailAndMore
        email={{
          content: partsOf(template),
          language,
          sentBy: { automations: automations.map(({ id }) => id) },
          written: { name: 'Content', panel: <WrittenParts texts={template} language={language} /> },
        }}
      >
        {can_edit && (
          <Section title="Name">
            <TemplateNameForm template={template} />
          </Section>
        )}
        <TemplateAutomations id={template.id} automations={automations} canEdit={can_edit} />
        <Versions id={template.id} versions={data.versions} pathOf={paths.emailTemplate} />
        <LastChanges of={id} />
        {is_owner && <Ownership template={template} onDone={to => mutate(to, { revalidate: false })} />}
      </EmailAndMore>
    </Page>
  );
}

type VersionsProps = { id: string; versions: ContentVersion[]; pathOf: (id: string) => string };

/** Nothing if there is one version. */
function Versions({ id, versions, pathOf }: VersionsProps) {
  if (versions.length === 0) return null;
  return (
    <Section title="Versions">
      <Text mb="2" fontSize="sm" color="fg.muted">
        Reports show them apart, or together if they are grouped by combination name.
      </Text>
      <Flex as="ul" direction="column" gap="1" fontSize="sm">
        {versions.toReversed().map(one => (
          <Flex as="li" key={one.id} wrap="wrap" align="center" columnGap="3">
            {one.id === id ? (
              <Box fontWeight="medium" aria-current="true">
                Version {one.version}
              </Box>
            ) : (
              <TextLink to={pathOf(one.id)}>Version {one.version}</TextLink>
            )}
            <ActiveStatus active={one.is_active} />
            <Box color="fg.muted">Created {formatDate(one.created_at)}</Box>
          </Flex>
        ))}
      </Flex>
    </Section>
  );
}

/** Leads to the form of the next version, or from an earlier version to the newest one. */
function wordingAction(id: string, versions: ContentVersion[], pathOf: (id: string) => string): PageAction {
  const newer = newerVersion(id, versions);
  return newer
    ? { id: 'newer', label: `Open version ${newer.version}`, to: pathOf(newer.id) }
    : {
        id: 'wording',
        label: 'Edit wording',
        to: wordingPath(pathOf(id)),
        right: 'content:edit',
        variant: 'solid',
      };
}

function TemplateActions({ emailTemplate: template, is_owner, versions }: EmailTemplateDetail) {
  const [deleting, setDeleting] = useState(false);
  const toggle = useToggle(EMAIL_TEMPLATE);
  const duplicate = useTemplateDuplication({
    ready: 'Ready to create a copy of this template',
    invalid: 'Failed to prepare template duplication',
    failure: 'Failed to prepare template duplication',
  });
  return (
    <>
      <PageActions
        items={[
          is_owner && {
            id: 'delete',
            label: 'Delete',
            danger: true,
            variant: 'ghost',
            run: () => setDeleting(true),
          },
          { id: 'duplicate', label: 'Duplicate', run: () => void duplicate(template.id) },
          { ...toggle.actionOf(template), button: <ToggleButton entity={EMAIL_TEMPLATE} item={template} /> },
          { id: 'edit', label: 'Edit', to: paths.editEmailTemplate(template.id) },
          wordingAction(template.id, versions, paths.emailTemplate),
        ]}
      />
      {deleting && (
        <DeleteTemplate
          template={template}
          failure="Failed to delete template"
          leaves
          onClose={() => setDeleting(false)}
        />
      )}
    </>
  );
}

type LinksProps = { id: string; automations: AutomationOption[] };

function TemplateAutomations({ id, automations, canEdit }: LinksProps & { canEdit: boolean }) {
  const change = useEntityChange(EMAIL_TEMPLATE, id);

  async function save(automation_ids: string[]) {
    const route = 'PUT /api/email-templates/{emailTemplate}/automations';
    await change(route, { automation_ids }, ({ automations }) => ({ automations }));
    toast('Automations updated successfully!', 'success', RESULT_DURATION);
  }

  return (
    <LinkedAutomations
      title="Linked Automations"
      automations={automations}
      route="GET /api/automations-for-templates"
      empty="This template is not linked to any automations."
      canEdit={canEdit}
      editText="Edit Automations"
      saveText="Save Changes"
      save={save}
      failure="Failed to update automations"
    />
  );
}

type OwnershipProps = { template: EmailTemplate; onDone: (detail: EmailTemplateDetail) => unknown };

function Ownership({ template, onDone }: OwnershipProps) {
  const [choosing, setChoosing] = useState(false);
  return (
    <Section
      title="Ownership"
      actions={<Button onClick={() => setChoosing(true)}>Transfer ownership</Button>}
    >
      <Text fontSize="sm" color="fg.muted">
        You own this template. Only its owner can delete it or transfer it.
      </Text>
      {choosing && (
        <TransferOwnershipDialog template={template} onDone={onDone} onClose={() => setChoosing(false)} />
      )}
    </Section>
  );
}

export function EmailAssetPage() {
  const { emailAsset: id = '' } = useParams();
  const { data } = useEntity(EMAIL_ASSET, id);
  if (!data) return <ContentLoading kind="asset" />;
  const { emailAsset: asset, automations, versions } = data;
  return (
    <Page title={assetName(asset)} actions={<AssetActions asset={asset} versions={versions} />}>
      <LockedNote kind="asset" />
      <EmailAndMore
        email={{
          content: sampleEmailWith(asset.type, asset.value),
          language: 'en',
          sentBy: { automations: automations.map(({ id }) => id) },
          written: { name: 'Asset Content', panel: <AssetContent dir="auto">{asset.value}</AssetContent> },
        }}
      >
        <Section title="Asset Details" actions={<ToggleButton entity={EMAIL_ASSET} item={asset} />}>
          <Facts>
            <Fact name="Type">
              <WithHelpTip word={PARTS[asset.type]}>{PART_TEXTS[asset.type]}</WithHelpTip>
            </Fact>
            <Fact name="Status">
              <ActiveStatus active={asset.is_active} />
            </Fact>
            {versions.length > 0 && <Fact name="Version">{asset.version}</Fact>}
            <Fact name="Created">{formatMoment(asset.created_at)}</Fact>
            <Fact name="Last Updated">{formatMoment(asset.updated_at)}</Fact>
          </Facts>
        </Section>
        <AssetAutomations id={id} automations={automations} />
        <Versions id={id} versions={versions} pathOf={paths.emailAsset} />
        <LastChanges of={id} />
      </EmailAndMore>
    </Page>
  );
}

const AssetContent = chakra('div', {
  base: {
    p: '4',
    borderWidth: '1px',
    borderRadius: 'lg',
    bg: 'bg.panel',
    fontSize: 'sm',
    whiteSpace: 'pre-wrap',
    overflowWrap: 'anywhere',
  },
});

function AssetActions({ asset, versions }: { asset: EmailAsset; versions: ContentVersion[] }) {
  const [deleting, setDeleting] = useState(false);
  const navigate = useNavigate();
  const { right } = EMAIL_ASSET;
  return (
    <>
      <PageActions
        items={[
          {
            id: 'delete',
            label: 'Delete Asset',
            danger: true,
            right,
            variant: 'ghost',
            run: () => setDeleting(true),
          },
          {
            id: 'duplicate',
            label: 'Duplicate',
            right,
            run: () => void navigate(paths.newEmailAsset(), { state: assetCopy(asset) }),
          },
          wordingAction(asset.id, versions, paths.emailAsset),
        ]}
      />
      {deleting && <DeleteAsset asset={asset} leaves onClose={() => setDeleting(false)} />}
    </>
  );
}

function AssetAutomations({ id, automations }: LinksProps) {
  const change = useEntityChange(EMAIL_ASSET, id);
  const canEdit = useMay()('content:edit');
  return (
    <LinkedAutomations
      title="Used in Automations"
      automations={automations}
      route="GET /api/automations-for-assets"
      empty={`No automations linked.${canEdit ? ' Click Edit to add some.' : ''}`}
      canEdit={canEdit}
      save={ids => change(EMAIL_ASSET.put, { automation_ids: ids }, ({ automations }) => ({ automations }))}
      failure="Failed to update automations. Please try again."
    />
  );
}

/** The automations that use some content, with previews of their emails, and an edit mode with a draft. */
function LinkedAutomations(
  props: Omit<LinksEditorProps, 'onClose'> & { empty: string; canEdit: boolean; editText?: string },
) {
  const { title, automations, empty, canEdit, editText = 'Edit' } = props;
  const [isEditing, setEditing] = useState(false);
  const [previewed, setPreviewed] = useState<AutomationOption>();
  return (
    <Section
      title={title}
      actions={canEdit && !isEditing && <Button onClick={() => setEditing(true)}>{editText}</Button>}
    >
      {isEditing ? (
        <LinksEditor {...props} onClose={() => setEditing(false)} />
      ) : automations.length === 0 ? (
        <Text color="fg.muted" fontSize="sm">
          {empty}
        </Text>
      ) : (
        <Flex as="ul" wrap="wrap" columnGap="4" rowGap="1" maxHeight="320px" overflowY="auto" fontSize="sm">
          {automations.map(automation => (
            <Flex
              as="li"
              key={automation.id}
              wrap="wrap"
              align="center"
              justify="space-between"
              columnGap="3"
              width="full"
              overflowWrap="anywhere"
            >
              <Box flex="1 1 120px" minWidth="0">
                <TextLink to={paths.automation(automation.id)}>
                  <Breakable>{automation.name}</Breakable>
                </TextLink>
              </Box>
              <Button
                aria-label={`Generate Email Preview for ${automation.name}`}
                onClick={() => setPreviewed(automation)}
              >
                Generate Email Preview
              </Button>
            </Flex>
          ))}
        </Flex>
      )}
      {previewed && <PreviewDialog automation={previewed} onClose={() => setPreviewed(undefined)} />}
    </Section>
  );
}

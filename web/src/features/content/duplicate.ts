import { PARTS, type Part } from '#shared/email/content.ts';
import type { EmailAsset } from '#shared/email-asset.ts';
import type { TemplateData } from '#shared/email-template.ts';
import { EMAIL_ASSET, RESULT_DURATION } from '#web/entities/content/content.ts';
import { useOrganizationCall } from '#web/lib/data.ts';
import { useOrganization } from '#web/lib/organization.ts';
import { paths } from '#web/lib/paths.ts';
import { Problem, serverMessageOr } from '#web/lib/problem.ts';
import { readStored, writeStored } from '#web/lib/storage.ts';
import { toast } from '#web/lib/toasts.ts';
import { useNavigateFromHere } from '#web/lib/use-navigate-from-here.ts';

type Texts = { ready?: string; invalid: string; failure: string };

export function useTemplateDuplication({ ready, invalid, failure }: Texts) {
  const call = useOrganizationCall();
  const organization = useOrganization()?.id;
  const { navigate, isLeft } = useNavigateFromHere();

  return async (id: string) => {
    try {
      const { template_data } = await call('POST /api/email-templates/{emailTemplate}/duplicate', {
        params: { emailTemplate: id },
      });
      if (isLeft()) return;
      if (!template_data || organization === undefined) throw new Problem(invalid, 200, {}, true);
      const state = keepTemplateCopy({ organization, template_data });
      if (ready) toast(ready, 'success', RESULT_DURATION);
      await navigate(paths.newEmailTemplate(), { state });
    } catch (problem) {
      toast(serverMessageOr(problem, failure), 'error', RESULT_DURATION);
    }
  };
}

const STORED = 'templateData';

/** The values for the form of a new template. It is of one organization, as its automations are. */
type TemplateCopy = { organization: number; template_data: TemplateData };

/** Stores a copy for the form. If the browser cannot store it, returns it for the state of the navigation. */
export const keepTemplateCopy = (copy: TemplateCopy): { copy: TemplateCopy } | null =>
  writeStored(STORED, JSON.stringify(copy)) ? null : { copy };

/** Takes the copy that was stored or is in the state of the navigation. It can be taken only once. */
export function takeTemplateCopy(state: unknown, organization: number | undefined): TemplateData | undefined {
  const copy = storedCopy() ?? (state as { copy?: TemplateCopy } | null)?.copy;
  writeStored(STORED, undefined);
  return copy?.organization === organization ? copy?.template_data : undefined;
}

function storedCopy(): TemplateCopy | undefined {
  try {
    const copy: unknown = JSON.parse(readStored(STORED) ?? 'null');
    return isTemplateCopy(copy) ? copy : undefined;
  } catch {
    return undefined;
  }
}

const isTemplateCopy = (value: unknown): value is TemplateCopy =>
  typeof value === 'object' && value !== null && 'template_data' in value && 'organization' in value;

export function useAssetDuplication() {
  const call = useOrganizationCall();
  const { navigate, isLeft } = useNavigateFromHere();
  return async (id: string) => {
    try {
      const { emailAsset } = await call(EMAIL_ASSET.one, { params: { emailAsset: id } });
      if (!isLeft()) await navigate(paths.newEmailAsset(), { state: assetCopy(emailAsset) });
    } catch (problem) {
      const message = serverMessageOr(problem, 'Failed to duplicate email asset. Please try again.');
      toast(message, 'error', RESULT_DURATION);
    }
  };
}

/** The fields of an asset that are copied into the form of a new one. They are in the state of the history entry. */
export type AssetCopy = Pick<EmailAsset, 'name' | 'type' | 'value' | 'is_active'>;

export const assetCopy = ({ name, type, value, is_active }: EmailAsset): AssetCopy => ({
  name,
  type,
  value,
  is_active,
});

export function assetCopyIn(state: unknown): AssetCopy | undefined {
  if (typeof state !== 'object' || state === null) return undefined;
  const { name, type, value, is_active } = state as Partial<Record<keyof AssetCopy, unknown>>;
  if (!isPart(type) || typeof value !== 'string') return undefined;
  return { name: typeof name === 'string' ? name : null, type, value, is_active: is_active !== false };
}

const isPart = (type: unknown): type is Part => typeof type === 'string' && Object.hasOwn(PARTS, type);

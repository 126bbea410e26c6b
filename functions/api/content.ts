import * as automationContent from '#core/content/automation-content.ts';
import * as emailAssets from '#core/content/email-asset.ts';
import * as emailTemplates from '#core/content/email-template.ts';
import * as images from '#core/content/image.ts';
import { automationContentRoutes } from '#shared/automation-content.ts';
import { emailAssetRoutes } from '#shared/email-asset.ts';
import { emailAssetSetRoutes } from '#shared/email-asset-set.ts';
import { emailTemplateRoutes } from '#shared/email-template.ts';
import { imageRoutes } from '#shared/image.ts';
import { automation, emailAsset, emailTemplate } from '../http/path-params.ts';
import { serveBoth } from '../http/serve.ts';
import { objects } from '../platform/objects.ts';
import { table } from '../platform/table.ts';

export const handler = serveBoth(
  {
    ...emailAssetRoutes,
    ...emailAssetSetRoutes,
    ...emailTemplateRoutes,
    ...imageRoutes,
    ...automationContentRoutes,
  },
  {
    'GET /api/email-assets': ({ active, query }) =>
      emailAssets.page({ table }, active.organization.id, query),
    'POST /api/email-assets': ({ active, body, user, by, now }) =>
      emailAssets.create({ table, now, user, by }, active.organization.id, body),
    'POST /api/email-assets-check': ({ active, body }) =>
      emailAssets.check({ table }, active.organization.id, body),
    'GET /api/email-assets/{emailAsset}': ({ emailAsset }) => emailAssets.detail({ table }, emailAsset),
    'PUT /api/email-assets/{emailAsset}': ({ emailAsset, body, user, by, now }) =>
      emailAssets.change({ table, now, user, by }, emailAsset, body),
    'POST /api/email-assets/{emailAsset}/versions': ({ emailAsset, body, user, by, now }) =>
      emailAssets.createVersion({ table, now, user, by }, emailAsset, body),
    'DELETE /api/email-assets/{emailAsset}': ({ emailAsset, user, by, now }) =>
      emailAssets.remove({ table, now, user, by }, emailAsset),
    'POST /api/email-asset-sets': ({ active, body, user, by, now }) =>
      emailAssets.createSet({ table, now, user, by }, active.organization.id, body),

    'GET /api/email-templates': ({ active, query }) => emailTemplates.page({ table }, active, query),
    'GET /api/email-templates-summary': ({ active, query }) =>
      emailTemplates.summary({ table }, active.organization.id, query),
    'POST /api/email-templates': ({ active, body, user, by, now }) =>
      emailTemplates.create({ table, now, user, by }, active, body),
    'POST /api/email-templates-check': ({ active, body }) =>
      emailTemplates.check({ table }, active.organization.id, body),
    'GET /api/email-templates/{emailTemplate}': ({ emailTemplate }) =>
      emailTemplates.detail({ table }, emailTemplate),
    'PUT /api/email-templates/{emailTemplate}': ({ emailTemplate, body, user, by, now }) =>
      emailTemplates.change({ table, now, user, by }, emailTemplate, body),
    'PUT /api/email-templates/{emailTemplate}/automations': ({ emailTemplate, body, user, by, now }) =>
      emailTemplates.change({ table, now, user, by }, emailTemplate, body),
    'PUT /api/email-templates/{emailTemplate}/owner': ({ active, emailTemplate, body, user, by, now }) =>
      emailTemplates.handOver({ table, now, user, by }, active, emailTemplate, body.user_id),
    'POST /api/email-templates/{emailTemplate}/versions': ({ emailTemplate, body, user, by, now }) =>
      emailTemplates.createVersion({ table, now, user, by }, emailTemplate, body),
    'POST /api/email-templates/{emailTemplate}/duplicate': async ({ emailTemplate }) => ({
      template_data: await emailTemplates.dataOf({ table }, emailTemplate),
    }),
    'DELETE /api/email-templates/{emailTemplate}': ({ emailTemplate, user, by, now }) =>
      emailTemplates.remove({ table, now, user, by }, emailTemplate),

    'POST /api/images': ({ active, body }) => images.upload({ objects }, active.organization.id, body.image),

    'GET /api/automations/{automation}/content': ({ automation }) =>
      automationContent.detail({ table }, automation),
    'PUT /api/automations/{automation}/content': ({ active, automation, body, user, by, now }) =>
      automationContent.change({ table, now, user, by }, active, automation, body),
  },
  { automation, emailAsset, emailTemplate },
);

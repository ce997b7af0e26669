//! Parts that several panels draw: activities, icons of applications, links and kinds of assets, times, pictures of
//! drawings.

pub(super) mod activity;
pub(super) mod app_icon;
pub(super) mod format;
pub(super) mod kind_icon;
pub(super) mod link_icon;
pub(super) mod overview;
pub(super) mod raster;

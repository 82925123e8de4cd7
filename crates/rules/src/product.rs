//! The product form of the dashboard, and its numbers.
//!
//! Prices are whole cents internally, and numbers with two decimals in JSON.

use serde::{Deserialize, Serialize, Serializer};
use validator::{Validate, ValidationError};

use crate::checked::{Checked, check_field, refusals};
use crate::number::{Number, Unclear};
use crate::release::{self, ReleaseError};
use crate::text;
use crate::url::{UrlError, predicate as url, tidied};
use crate::validation::{limit, refused_with, validated};

/// Maximum price in whole units.
pub const PRICE_MAX: u64 = 999_999;
/// Maximum price in cents.
pub const PRICE_MAX_CENTS: u32 = 99_999_900;
/// Maximum stock: the largest signed 32-bit integer.
pub const STOCK_MAX: u32 = i32::MAX.unsigned_abs();
/// Maximum length of a category in characters.
pub const CATEGORY_MAX: usize = 50;

refusals! {
    /// Refusals of the product form; title and description have [`crate::release::ReleaseError`], the image has
    /// [`crate::url::UrlError`].
    pub enum ProductError {
        PriceRequired = "price_required", "Price is required";
        PriceNegative = "price_negative", "Price must be positive";
        PriceTooHigh = "price_too_high", "Price too high";
        PriceUnclear = "price_unclear", "Price is not clear. Write it like 1234.50, with two decimals at most";
        StockRequired = "stock_required", "Stock is required";
        StockNotWhole = "stock_not_whole", "Stock must be a whole number";
        StockNegative = "stock_negative", "Stock cannot be negative";
        StockTooHigh = "stock_too_high", "Stock too high";
        CategoryTooLong = "category_too_long", "Category must be less than 50 characters";
        CategoryCharacters = "category_characters", "Invalid characters in category";
    }
}

/// A price from 0 to 999999.00; in JSON a number with two decimals.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify), tsify(type = "number"))]
pub struct Price(u32);

impl Price {
    /// The price in cents, at most [`PRICE_MAX_CENTS`].
    pub const fn cents(self) -> u32 {
        self.0
    }
}

impl Serialize for Price {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(f64::from(self.0) / 100.0)
    }
}

/// Parses a typed price with a dot or comma as decimal sign. Anything that is not a number (also an empty field) is 0. Refused
/// are prices below 0 or above 999999, with too many decimals, or ambiguous: a single dot or comma is the decimal sign, with at
/// most two digits after it.
///
/// ```
/// use rules::product::{ProductError, parse_price};
///
/// assert_eq!(parse_price("24,90").map(|price| price.cents()), Ok(2490));
/// assert_eq!(parse_price("1.234,50").map(|price| price.cents()), Ok(123_450));
/// assert_eq!(parse_price("1.234"), Err(ProductError::PriceUnclear));
/// assert_eq!(parse_price("free").map(|price| price.cents()), Ok(0));
/// assert_eq!(parse_price("-5"), Err(ProductError::PriceNegative));
/// ```
pub fn parse_price(input: &str) -> Result<Price, ProductError> {
    price_of(Number::typed(input).map_err(|Unclear| ProductError::PriceUnclear)?)
}

/// Checks the limits, then rounds further decimals half up.
fn price_of(number: Option<Number>) -> Result<Price, ProductError> {
    let Some(number) = number else { return Ok(Price(0)) };
    if number.negative {
        return Err(ProductError::PriceNegative);
    }
    if number.integer > PRICE_MAX || number.integer == PRICE_MAX && number.has_fraction() {
        return Err(ProductError::PriceTooHigh);
    }
    u32::try_from(number.rounded_hundredths()).map(Price).map_err(|_| ProductError::PriceTooHigh)
}

/// Parses a typed stock. Anything that is not a number (also an empty field) is 0. Refused are fractions and ambiguous numbers,
/// then negative ones, then those too large for the database.
pub fn parse_stock(input: &str) -> Result<u32, ProductError> {
    stock_of(Number::typed(input).map_err(|Unclear| ProductError::StockNotWhole)?)
}

fn stock_of(number: Option<Number>) -> Result<u32, ProductError> {
    let Some(number) = number else { return Ok(0) };
    if number.has_fraction() {
        return Err(ProductError::StockNotWhole);
    }
    if number.negative {
        return Err(ProductError::StockNegative);
    }
    u32::try_from(number.integer).ok().filter(|stock| *stock <= STOCK_MAX).ok_or(ProductError::StockTooHigh)
}

/// The price a typed text will be saved as: two decimals, no-break spaces between thousands.
///
/// ```
/// assert_eq!(rules::product::price_label("24900").as_deref(), Ok("24\u{a0}900.00"));
/// ```
pub fn price_label(input: &str) -> Result<String, ProductError> {
    let cents = parse_price(input)?.cents();
    let mut label = in_thousands(cents / 100);
    label.push('.');
    for digit in [cents / 10 % 10, cents % 10] {
        label.extend(char::from_digit(digit, 10));
    }
    Ok(label)
}

/// The stock a typed text will be saved as.
pub fn stock_label(input: &str) -> Result<String, ProductError> {
    parse_stock(input).map(in_thousands)
}

fn in_thousands(number: u32) -> String {
    let digits = text::decimal(u64::from(number));
    let mut label = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            label.push('\u{a0}');
        }
        label.push(digit);
    }
    label
}

/// The form as typed. Both numbers are text, so that the rules and not the browser parse them.
#[derive(Debug, Clone, Default, Deserialize, Validate)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
pub struct ProductForm {
    /// 1 to 200 characters after markup is removed.
    #[validate(length(max = limit(release::TITLE_MAX), code = "title_too_long"), custom(function = release::is_title))]
    pub title: String,
    /// Up to 1000 characters after markup is removed.
    #[serde(default)]
    #[validate(length(max = limit(release::DESCRIPTION_MAX), code = "description_too_long"), custom(function = release::is_description))]
    #[cfg_attr(feature = "wasm", tsify(optional, type = "string | null"))]
    pub description: Option<String>,
    /// 0 to 999999 with a dot or comma; an empty field is 0, a missing one is refused.
    #[serde(default)]
    #[validate(required(code = "price_required"), custom(function = is_price))]
    #[cfg_attr(feature = "wasm", tsify(optional, type = "string | null"))]
    pub price: Option<String>,
    /// URL of a picture.
    #[serde(default)]
    #[validate(custom(function = url::image))]
    #[cfg_attr(feature = "wasm", tsify(optional, type = "string | null"))]
    pub image_url: Option<String>,
    /// 0 to 2147483647; an empty field is 0, a missing one is refused.
    #[serde(default)]
    #[validate(required(code = "stock_required"), custom(function = is_stock))]
    #[cfg_attr(feature = "wasm", tsify(optional, type = "string | null"))]
    pub stock_quantity: Option<String>,
    /// Up to 50 characters, such as `Vinyl`.
    #[serde(default)]
    #[validate(length(max = limit(CATEGORY_MAX), code = "category_too_long"), custom(function = is_category))]
    #[cfg_attr(feature = "wasm", tsify(optional, type = "string | null"))]
    pub category: Option<String>,
    /// Marked in the dashboard; no public effect.
    #[serde(default)]
    #[cfg_attr(feature = "wasm", tsify(optional))]
    pub featured: bool,
    /// Whether the product is on sale; true by default.
    #[serde(default = "yes")]
    #[cfg_attr(feature = "wasm", tsify(optional))]
    pub active: bool,
}

refused_with!(ProductForm: ProductError, ReleaseError, UrlError);

/// The form as a request sends it, with JSON numbers.
///
/// A [`Product`] serialised to JSON is a valid request, so the browser sends what it has checked.
#[derive(Debug, Clone, Deserialize, Validate)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = ProductBody))]
pub struct ProductRequest {
    /// 1 to 200 characters once markup is gone.
    #[validate(length(max = limit(release::TITLE_MAX), code = "title_too_long"), custom(function = release::is_title))]
    pub title: String,
    /// Up to 1000 characters once markup is gone.
    #[serde(default)]
    #[validate(length(max = limit(release::DESCRIPTION_MAX), code = "description_too_long"), custom(function = release::is_description))]
    pub description: Option<String>,
    /// 0 to 999999; more than two decimals are rounded half up.
    #[serde(default)]
    #[validate(required(code = "price_required"), custom(function = is_price_number))]
    #[cfg_attr(feature = "openapi", schema(required, nullable = false))]
    pub price: Option<f64>,
    /// Absolute http or https, or `/media/…` of this website.
    #[serde(default)]
    #[validate(custom(function = url::image))]
    pub image_url: Option<String>,
    /// A whole number, not negative.
    #[serde(default)]
    #[validate(required(code = "stock_required"), custom(function = is_stock_number))]
    #[cfg_attr(feature = "openapi", schema(required, nullable = false))]
    pub stock_quantity: Option<f64>,
    /// Up to 50 characters.
    #[serde(default)]
    #[validate(length(max = limit(CATEGORY_MAX), code = "category_too_long"), custom(function = is_category))]
    pub category: Option<String>,
    /// False by default.
    #[serde(default)]
    pub featured: bool,
    /// True by default.
    #[serde(default = "yes")]
    pub active: bool,
}

refused_with!(ProductRequest: ProductError, ReleaseError, UrlError);

/// A product as stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct Product {
    /// 1 to 200 characters.
    pub title: String,
    /// `None` when blank, like all optional fields.
    pub description: Option<String>,
    /// Price.
    pub price: Price,
    /// URL of a picture.
    pub image_url: Option<String>,
    /// Number of pieces.
    pub stock_quantity: u32,
    /// Category.
    pub category: Option<String>,
    /// Marked in the dashboard.
    pub featured: bool,
    /// Whether it is on sale.
    pub active: bool,
}

/// Removes markup, clears URLs with a scheme such as `javascript` or `file`, parses the typed numbers, then checks every field.
pub fn check_product(form: ProductForm) -> Checked<Product> {
    let form = validated(ProductForm {
        title: text::cleaned(&form.title),
        description: text::cleaned_prose(form.description),
        image_url: tidied(form.image_url),
        category: text::cleaned_option(form.category),
        ..form
    })?;
    let price = form.price.as_deref().map_or(Err(ProductError::PriceRequired), parse_price);
    let stock = form.stock_quantity.as_deref().map_or(Err(ProductError::StockRequired), parse_stock);
    Ok(Product {
        title: form.title,
        description: form.description,
        price: check_field("price", price)?,
        image_url: form.image_url,
        stock_quantity: check_field("stock_quantity", stock)?,
        category: form.category,
        featured: form.featured,
        active: form.active,
    })
}

/// Checks a request like [`check_product`]. Its numbers are rounded half up to two decimals.
pub fn check_product_request(request: ProductRequest) -> Checked<Product> {
    let request = validated(ProductRequest {
        title: text::cleaned(&request.title),
        description: text::cleaned_prose(request.description),
        image_url: tidied(request.image_url),
        category: text::cleaned_option(request.category),
        ..request
    })?;
    let price = request.price.map_or(Err(ProductError::PriceRequired), |price| price_of(sent(price)));
    let stock =
        request.stock_quantity.map_or(Err(ProductError::StockRequired), |stock| stock_of(sent(stock)));
    Ok(Product {
        title: request.title,
        description: request.description,
        price: check_field("price", price)?,
        image_url: request.image_url,
        stock_quantity: check_field("stock_quantity", stock)?,
        category: request.category,
        featured: request.featured,
        active: request.active,
    })
}

/// Parses a float's shortest decimal form, which is what its author wrote.
fn sent(number: f64) -> Option<Number> {
    Number::parse(&number.to_string())
}

fn is_price(typed: &str) -> Result<(), ValidationError> {
    parse_price(typed).map(drop).map_err(ValidationError::from)
}

fn is_stock(typed: &str) -> Result<(), ValidationError> {
    parse_stock(typed).map(drop).map_err(ValidationError::from)
}

fn is_price_number(number: f64) -> Result<(), ValidationError> {
    price_of(sent(number)).map(drop).map_err(ValidationError::from)
}

fn is_stock_number(number: f64) -> Result<(), ValidationError> {
    stock_of(sent(number)).map(drop).map_err(ValidationError::from)
}

fn is_category(category: &str) -> Result<(), ValidationError> {
    if text::has_markup_or_control(category) { Err(ProductError::CategoryCharacters.into()) } else { Ok(()) }
}

const fn yes() -> bool {
    true
}
